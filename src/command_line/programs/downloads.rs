//! `curl`, `wget` and others that write what they fetch.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;

const CURL: Takes = Takes::new(
    "oTdHXuAebcDFKmMPQrtUwxYyzE",
    "output output-dir upload-file data data-raw data-binary header request user user-agent referer cookie cookie-jar dump-header form config max-time trace trace-ascii stderr write-out proxy cacert cert key retry connect-timeout url etag-save hsts alt-svc libcurl json data-urlencode",
);

pub(super) fn curl<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &CURL);
    let directory = options.value("--output-dir").map(str::to_owned);
    let placed = |file: &str| match &directory {
        Some(directory) => format!("{directory}/{file}"),
        None => file.to_owned(),
    };
    let files = "-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --libcurl --hsts --alt-svc";
    for file in options.values(files).filter(|file| *file != "-") {
        shell.write(&placed(file), call.name);
    }
    if options.has("-O --remote-name --remote-name-all") {
        for url in &options.operands {
            shell.write(&placed(&name_in(url)), call.name);
        }
    }
    Outcome::opaque()
}

pub(super) fn wget<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new(
        "OPoaeitTwQU",
        "output-document directory-prefix output-file append-output input-file header user-agent timeout tries post-data save-cookies",
    );
    let options = Options::parse(call.arguments, &takes);
    for file in options
        .values("-o -a --output-file --append-output --save-cookies")
        .filter(|f| *f != "-")
    {
        shell.write(file, call.name);
    }
    match options.value("-O --output-document") {
        Some("-") => {}
        Some(file) => shell.write(file, call.name),
        None if options.has("--spider -V --version -h --help") => {}
        None => {
            let directory = options.value("-P --directory-prefix").unwrap_or(".");
            for url in &options.operands {
                shell.write(&format!("{directory}/{}", name_in(url)), call.name);
            }
            if options.operands.is_empty() || options.has("-r --recursive -m --mirror") {
                shell.write_into(directory, call.name);
            }
        }
    }
    Outcome::opaque()
}

/// `aria2c`, `http --download`, `gh … download`: a directory and a name by option.
pub(super) fn by_options<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let takes = Takes::new("odDO", "out dir output output-dir");
    let options = Options::parse(call.arguments, &takes);
    let directory = options.value("-d -D --dir --output-dir");
    match (directory, options.value("-o -O --out --output")) {
        (Some(directory), Some(file)) => shell.write(&format!("{directory}/{file}"), call.name),
        (None, Some(file)) => shell.write(file, call.name),
        (Some(directory), None) => shell.write_into(directory, call.name),
        (None, None) => {}
    }
    Outcome::opaque()
}

fn name_in(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or("");
    match text::base_name(path) {
        "" => text::unknown(),
        name => name.to_owned(),
    }
}
