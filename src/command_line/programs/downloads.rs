//! `curl`, `wget` and others that write what they fetch.

use super::super::options::{Options, Takes};
use super::super::scope::{Outcome, Shell};
use super::super::simple::Call;
use super::super::text;

const CURL: Takes = Takes::new(
    "oTdHXuAebcDFKmMPQrtUwxYyzE",
    "output output-dir upload-file data data-raw data-binary header request user user-agent referer cookie \
     cookie-jar dump-header form config max-time trace trace-ascii stderr write-out proxy cacert cert key \
     retry connect-timeout url etag-save hsts alt-svc libcurl json data-urlencode",
);
const CURL_FILES: &str = "-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii \
    --stderr --etag-save --libcurl --hsts --alt-svc";
const WGET: Takes = Takes::new(
    "OPoaeitTwQU",
    "output-document directory-prefix output-file append-output input-file header user-agent timeout tries \
     post-data save-cookies",
);

pub(super) fn curl<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &CURL);
    let folder = options.value("--output-dir").unwrap_or(".");
    let by_name = options.has("-O --remote-name --remote-name-all");
    let names = options
        .operands
        .iter()
        .filter(|_| by_name)
        .map(|url| name_in(url));
    let files = options.values(CURL_FILES).map(str::to_owned).chain(names);
    files.for_each(|file| write(shell, folder, &file));
    Outcome::opaque()
}

pub(super) fn wget<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(call.arguments, &WGET);
    for file in
        options.values("-o -a -O --output-file --append-output --save-cookies --output-document")
    {
        write(shell, ".", file);
    }
    if options.has("-O --output-document --spider -V --version -h --help") {
        return Outcome::opaque();
    }
    let folder = options.value("-P --directory-prefix").unwrap_or(".");
    options
        .operands
        .iter()
        .for_each(|url| write(shell, folder, &name_in(url)));
    if options.operands.is_empty() || options.has("-r --recursive -m --mirror") {
        shell.write_into(folder, call.name);
    }
    Outcome::opaque()
}

/// `aria2c`, `http --download`: a directory and a name by option.
pub(super) fn by_options<'c>(shell: &mut Shell<'c>, call: &Call<'_>) -> Outcome<'c> {
    let options = Options::parse(
        call.arguments,
        &Takes::new("odDO", "out dir output output-dir"),
    );
    let folder = options.value("-d -D --dir --output-dir");
    match options.value("-o -O --out --output") {
        Some(file) => write(shell, folder.unwrap_or("."), file),
        None => folder
            .into_iter()
            .for_each(|folder| shell.write_into(folder, call.name)),
    }
    Outcome::opaque()
}

fn write(shell: &Shell<'_>, folder: &str, file: &str) {
    match (file, folder) {
        ("-", _) => {}
        (_, ".") => shell.write(file, "download"),
        _ => shell.write(&format!("{folder}/{file}"), "download"),
    }
}

fn name_in(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or("");
    match text::base_name(path) {
        "" => text::unknown(),
        name => name.to_owned(),
    }
}
