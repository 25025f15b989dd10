//! Encodings a command may hide another command in.

/// The text behind base64, if it is text.
pub(super) fn base64(encoded: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0u32);
    for byte in encoded.bytes().filter(|b| !b.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).ok()?);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The text behind base32.
pub(super) fn base32(encoded: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0u32);
    for byte in encoded.bytes().filter(|b| !b.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'2'..=b'7' => byte - b'2' + 26,
            b'=' => break,
            _ => return None,
        };
        bits = ((bits << 5) | u32::from(value)) & 0xffff;
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).ok()?);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The text behind plain hexadecimal.
pub(super) fn hexadecimal(encoded: &str) -> Option<String> {
    let digits: Option<Vec<u32>> = encoded
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16))
        .collect();
    let bytes = digits?
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high * 16 + low).ok(),
            _ => None,
        })
        .collect::<Option<Vec<u8>>>()?;
    String::from_utf8(bytes).ok()
}

/// What `tr` makes of a text.
pub(super) fn translated(text: &str, from: &str, to: &str, deletes: bool) -> String {
    let (from, to) = (character_set(from), character_set(to));
    let change = |c: char| match from.iter().position(|f| *f == c) {
        None => Some(c),
        Some(_) if deletes => None,
        Some(at) => to.get(at).or(to.last()).copied(),
    };
    text.chars().filter_map(change).collect()
}

fn character_set(set: &str) -> Vec<char> {
    let set = set
        .replace("[:upper:]", "A-Z")
        .replace("[:lower:]", "a-z")
        .replace("[:digit:]", "0-9")
        .replace("[:space:]", " \t\n");
    let plain: Vec<char> = super::words::unescape_ansi_c(&set).chars().collect();
    let mut characters = Vec::new();
    let mut rest = plain.as_slice();
    while let Some((&first, after)) = rest.split_first() {
        match after {
            ['-', last, ..] if first <= *last => {
                characters.extend((first..=*last).take(256));
                rest = after.get(2..).unwrap_or(&[]);
            }
            _ => {
                characters.push(first);
                rest = after;
            }
        }
    }
    characters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoders() {
        assert_eq!(base64("cm0gYQ==").as_deref(), Some("rm a"));
        assert_eq!(base32("OJWSAYI=").as_deref(), Some("rm a"));
        assert_eq!(hexadecimal("726d 2061").as_deref(), Some("rm a"));
        assert_eq!(base64("!"), None);
        assert_eq!(translated("ez n", "a-z", "n-za-m", false), "rm a");
        assert_eq!(translated("r.m", ".", "", true), "rm");
    }
}
