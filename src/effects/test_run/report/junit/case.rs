//! A `<testcase>` and what its tag says.

use std::borrow::Cow;

use super::Failure;
use super::content::{Attributes, unescaped};

/// A `<testcase>`; one without content is gone again before its chunk is.
#[derive(Default)]
pub(super) struct Case<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) classname: Cow<'a, str>,
    pub(super) class: Cow<'a, str>,
    pub(super) file: Cow<'a, str>,
    pub(super) status: Cow<'a, str>,
    pub(super) result: Cow<'a, str>,
    /// To the microsecond; other runners round what they measure.
    pub(super) took_no_time: bool,
    pub(super) output: String,
    pub(super) skipped: bool,
    pub(super) failures: Vec<Failure>,
}

/// A tag that was read from the beginning of a text.
pub(super) struct CaseTag<'a> {
    pub(super) case: Case<'a>,
    pub(super) is_empty: bool,
    /// What follows the tag.
    pub(super) rest: &'a str,
}

impl<'a> CaseTag<'a> {
    /// Reads the tag of a test case in one go, as nearly all tags of a report are such ones; none if it is
    /// another tag, written in a way that is no XML, or not there as a whole.
    pub(super) fn at_start_of(text: &'a str) -> Option<CaseTag<'a>> {
        let raw = text.strip_prefix("<testcase")?;
        if !raw.starts_with([' ', '\t', '\r', '\n', '/', '>']) {
            return None;
        }
        let mut attributes = Attributes::of(raw);
        let case = Case::of(&mut attributes);
        let end = attributes.rest().trim_ascii_start();
        let (rest, is_empty) = match end.strip_prefix("/>") {
            Some(rest) => (rest, true),
            None => (end.strip_prefix('>')?, false),
        };
        Some(CaseTag {
            case,
            is_empty,
            rest,
        })
    }
}

impl<'a> Case<'a> {
    pub(super) fn of(attributes: &mut Attributes<'a>) -> Case<'a> {
        let mut case = Case::default();
        for (key, value) in attributes {
            let field = match key {
                "name" => &mut case.name,
                "classname" => &mut case.classname,
                "class" => &mut case.class,
                "file" => &mut case.file,
                "status" => &mut case.status,
                "result" => &mut case.result,
                "time" => {
                    case.took_no_time = value == "0.000000";
                    continue;
                }
                _ => continue,
            };
            *field = unescaped(value);
        }
        case
    }

    pub(super) fn into_owned(self) -> Case<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Case {
            name: owned(self.name),
            classname: owned(self.classname),
            class: owned(self.class),
            file: owned(self.file),
            status: owned(self.status),
            result: owned(self.result),
            took_no_time: self.took_no_time,
            output: self.output,
            skipped: self.skipped,
            failures: self.failures,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CaseTag;

    #[test]
    fn tags_of_any_writing_are_read() {
        for (text, is_empty) in [
            ("<testcase name='a>b'/>rest", true),
            ("<testcase name=\"a&gt;b\" />rest", true),
            ("<testcase\n\ttime='1'  name = 'a>b' >rest", false),
        ] {
            let tag = CaseTag::at_start_of(text).expect("it is a tag");
            assert_eq!(tag.case.name, "a>b", "{text}");
            assert_eq!((tag.is_empty, tag.rest), (is_empty, "rest"), "{text}");
        }
    }

    #[test]
    fn what_is_no_whole_tag_of_a_test_case_is_left_to_others() {
        for text in [
            "",
            "<testcases>",
            "<testcase",
            "<testcase ",
            "<testcase name",
            "<testcase name='a",
            "<testcase name='a'",
            "<testcase name='a'/",
            "<testcase name=a>",
            "<testcase name>",
            "<testcase / >",
            "</testcase>",
            "<x:testcase/>",
        ] {
            assert!(CaseTag::at_start_of(text).is_none(), "{text}");
        }
    }
}
