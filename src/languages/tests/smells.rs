//! The queries by which tests are read.

use crate::languages::{all, test_words_for};

#[test]
fn every_query_fits_its_grammar() {
    let endings = all().flat_map(|language| language.0.endings.iter().copied());
    let mut count = 0;
    for ending in endings {
        let Some(words) = test_words_for(format!("a.{ending}").as_bytes()) else {
            continue;
        };
        count += 1;
        assert!(words.query().is_some(), "{ending}: tests");
        assert!(
            words.returns().is_some(),
            "{ending}: values that are returned"
        );
    }
    assert!(count >= 15, "{count}");
}

#[test]
fn words_are_found_by_the_name_of_the_file() {
    for (path, found) in [
        ("tests/test_a.py", true),
        ("a/b.test.tsx", true),
        ("a/B.JS", true),
        ("src/lib.rs", true),
        ("a_test.go", true),
        ("ATest.java", true),
        ("a_spec.rb", true),
        ("ATest.php", true),
        ("a.ipynb", false),
        ("a.vue", false),
        ("a.kt", false),
        ("Makefile", false),
        ("", false),
    ] {
        assert_eq!(test_words_for(path.as_bytes()).is_some(), found, "{path}");
    }
}
