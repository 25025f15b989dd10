//! The page about threats says for each class how it is held, and names a test that is there.

use std::path::Path;

#[test]
fn each_line_of_the_page_names_a_test_that_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/threat-model.md")).expect("the page");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| ---"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .filter(|cells: &Vec<&str>| cells.last() != Some(&"shown by"))
        .collect();
    assert!(rows.len() >= 12, "a line for each class");
    for cells in rows {
        assert_eq!(cells.len(), 3, "{cells:?}");
        let tests: Vec<&str> = cells[2].split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "{cells:?} names no test");
        for test in tests {
            let (file, name) = test.split_once("::").expect("FILE::TEST");
            let file = root.join(file);
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let is_it = |line: &str| {
                let line = line.trim();
                // Tables of rules are tests too.
                line.starts_with(&format!("fn {name}()")) || line == format!("{name} {{")
            };
            assert!(text.lines().any(is_it), "`{test}` is not there");
        }
    }
}
