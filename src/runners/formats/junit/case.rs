//! A `<testcase>` and what its tag says.

use super::Failure;
use super::content::{Attributes, set};

/// A `<testcase>`. One is used for all of a report, so that its texts are allocated once.
#[derive(Default)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) classname: String,
    pub(crate) class: String,
    pub(crate) file: String,
    pub(crate) status: String,
    pub(crate) result: String,
    /// To the microsecond; other runners round what they measure.
    pub(crate) took_no_time: bool,
    pub(crate) output: String,
    pub(crate) skipped: bool,
    pub(crate) failures: Vec<Failure>,
}

impl Case {
    /// Begins with another one.
    pub(super) fn begin(&mut self, attributes: &mut Attributes<'_>) {
        self.clear();
        for attribute in attributes {
            let field = match attribute.key {
                "name" => &mut self.name,
                "classname" => &mut self.classname,
                "class" => &mut self.class,
                "file" => &mut self.file,
                "status" => &mut self.status,
                "result" => &mut self.result,
                "time" => {
                    self.took_no_time = attribute.raw == "0.000000";
                    continue;
                }
                _ => continue,
            };
            set(field, attribute);
        }
    }

    fn clear(&mut self) {
        self.name.clear();
        self.classname.clear();
        self.class.clear();
        self.file.clear();
        self.status.clear();
        self.result.clear();
        self.took_no_time = false;
        self.output.clear();
        self.skipped = false;
        self.failures.clear();
    }
}

/// The end of a tag that was read from the beginning of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TagEnd<'a> {
    pub(super) is_empty: bool,
    /// What follows the tag.
    pub(super) rest: &'a str,
}

impl<'a> TagEnd<'a> {
    /// Reads the tag of a test case in one go, as nearly all tags of a report are such ones; none if it is
    /// another tag, written in a way that is no XML, or not there as a whole.
    pub(super) fn of_case(text: &'a str, case: &mut Case) -> Option<TagEnd<'a>> {
        let raw = text.strip_prefix("<testcase")?;
        if !raw.starts_with([' ', '\t', '\r', '\n', '/', '>']) {
            return None;
        }
        let mut attributes = Attributes::of(raw);
        case.begin(&mut attributes);
        let end = attributes.rest().trim_ascii_start();
        let (rest, is_empty) = match end.strip_prefix("/>") {
            Some(rest) => (rest, true),
            None => (end.strip_prefix('>')?, false),
        };
        Some(TagEnd { is_empty, rest })
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, TagEnd};

    #[test]
    fn tags_of_any_writing_are_read() {
        let mut case = Case::default();
        for (text, is_empty) in [
            ("<testcase name='a>b'/>rest", true),
            ("<testcase name=\"a&gt;b\" />rest", true),
            ("<testcase\n\ttime='1'  name = 'a>b' >rest", false),
        ] {
            let end = TagEnd::of_case(text, &mut case);
            let rest = "rest";
            assert_eq!(end, Some(TagEnd { is_empty, rest }), "{text}");
            assert_eq!(case.name, "a>b", "{text}");
        }
    }

    #[test]
    fn nothing_is_left_of_the_case_before() {
        let mut case = Case::default();
        for (text, name, classname) in [
            ("<testcase name='a' classname='b'/>", "a", "b"),
            ("<testcase classname='c'/>", "", "c"),
            ("<testcase/>", "", ""),
        ] {
            TagEnd::of_case(text, &mut case).expect("it is a tag");
            assert_eq!((&*case.name, &*case.classname), (name, classname));
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
            let end = TagEnd::of_case(text, &mut Case::default());
            assert_eq!(end, None, "{text}");
        }
    }
}
