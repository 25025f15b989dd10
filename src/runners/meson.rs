//! Meson: the JUnit XML that it writes unasked.

use super::command::{Look, Sign};
use super::project::Offer;
use super::{Runner, written};

pub(super) static RUNNER: Runner = Runner {
    sign,
    tells_unasked: true,
    written: |of| {
        written::find(of, &|path, is_new| {
            is_new && path.ends_with("meson-logs/testlog.junit.xml")
        })
    },
    telling: &[r"^Full log written to .*/meson-logs/testlog\.txt$"],
    detect: |place, out| {
        if place.exists("meson.build") {
            // A fresh clone has nothing set up.
            let command = match place.exists("build/build.ninja") {
                true => "meson test -C build",
                false => "(test -f build/build.ninja || meson setup build) && meson test -C build",
            };
            out.push(Offer::by_default("c++", command, "meson.build"));
        }
    },
    known_by: "`meson test`, `ninja test` beside a `meson.build`",
    asked: "not asked: it writes JUnit XML",
    tried: Some("1.0"),
    ..Runner::named("Meson")
};

fn sign(look: &Look<'_>) -> Option<Sign> {
    let is_test = look.call.has("test");
    let is_ninja = look.is(&["ninja"]) && (look.read)("meson.build").is_some();
    Sign::sure_if(is_test && look.is(&["meson", "meson.py"]))
        .or_else(|| Sign::guess_if(is_test && is_ninja))
}
