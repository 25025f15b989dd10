//! Tests in the styles that people write, in `fixtures/smells`: a line with `EXPECT rule` in a
//! comment is found, and no other.

use super::*;

#[test]
fn what_is_marked_is_found_and_nothing_else() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/smells");
    let files = std::fs::read_dir(folder).expect("the fixtures are there");
    let mut wrong = Vec::new();
    let mut right = 0;
    for file in files {
        let path = file.expect("the fixtures can be listed").path();
        let content = std::fs::read_to_string(&path).expect("fixtures are UTF-8");
        let name = path.to_string_lossy();
        let examined = examine(&name, content.as_bytes(), Role::Test, &Values::new());
        let examined = examined.expect("a known language");
        assert_eq!(examined.trouble, None, "{name}");
        for (line, text) in (1..).zip(content.lines()) {
            let expected = text.split_once("EXPECT ").map(|(_, rule)| rule.trim());
            let findings = examined.findings.iter();
            let found: Vec<_> = findings
                .filter(|finding| finding.line == line)
                .map(|finding| finding.rule.name())
                .collect();
            if found == Vec::from_iter(expected) {
                right += found.len();
            } else {
                wrong.push(format!("{name}:{line}: {found:?}: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{right} are right", wrong.join("\n"));
}
