//! Settings by which a client stops calling hooks.

use jsonc_parser::ast;

use super::json_text::Container;
use super::own_entries::cut;
use super::{Removed, Unmergeable, parse, property};
use crate::clients::Client;

/// The text without the settings by which the client stops calling hooks.
pub(crate) fn switched_on(client: Client, text: &str) -> Result<String, Unmergeable> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (bom, _) = text.split_at(text.len() - body.len());
    let mut body = body.to_owned();
    for (path, off) in client.switches {
        body = without_switch(&body, path, *off)?;
    }
    Ok(format!("{bom}{body}"))
}

fn without_switch(text: &str, path: &str, off: bool) -> Result<String, Unmergeable> {
    let unchanged = || Ok(text.to_owned());
    let keys: Vec<&str> = path.split('/').skip(1).collect();
    let (Some((last, above)), Some(ast::Value::Object(root))) = (keys.split_last(), parse(text)?)
    else {
        return unchanged();
    };
    let mut object = &root;
    for key in above {
        match property(object, key)? {
            Some(ast::Value::Object(inner)) => object = inner,
            _ => return unchanged(),
        }
    }
    let at = object.properties.iter().position(|property| {
        let value = property.value.as_boolean_lit().map(|found| found.value);
        property.name.as_str() == *last && value == Some(off)
    });
    match at.map(|at| cut(text, Container::of_object(object), at, false)) {
        Some(Ok(Removed::Text(rest))) => Ok(rest),
        Some(Err(error)) => Err(error),
        Some(Ok(Removed::Nothing | Removed::File)) | None => unchanged(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::{claude_code, gemini};

    #[test]
    fn what_switches_hooks_off_is_taken_out_and_nothing_else() {
        let cases = [
            (
                claude_code::CLIENT,
                "{\n  \"a\": 1,\n  \"disableAllHooks\": true\n}\n",
                "{\n  \"a\": 1\n}\n",
            ),
            (
                claude_code::CLIENT,
                "\u{feff}{\"disableAllHooks\": true, \"a\": 1}",
                "\u{feff}{ \"a\": 1}",
            ),
            (
                gemini::CLIENT,
                "{\"hooksConfig\": {\"enabled\": false, \"b\": 2}}",
                "{\"hooksConfig\": { \"b\": 2}}",
            ),
        ];
        for (client, off, on) in cases {
            assert_eq!(switched_on(client, off).as_deref(), Ok(on));
            assert_eq!(switched_on(client, on).as_deref(), Ok(on));
        }
        let kept = "{\"disableAllHooks\": false}";
        assert_eq!(switched_on(claude_code::CLIENT, kept).as_deref(), Ok(kept));
        assert!(switched_on(claude_code::CLIENT, "{").is_err());
    }
}
