//! Programs as agents write them into a command: the path is bound to a name first, in a function's
//! parameter, a table of edits, or another directory.

use super::spelling_tests::{RED, all_allowed, all_denied};
use super::world_tests::{State, World};

#[test]
fn the_path_is_a_parameter() {
    all_denied(
        State::GREEN,
        &[
            "python3 - <<'E'\ndef sub(path, a, b):\n    s = open(path).read()\n    assert a in s\n    open(path, 'w').write(s.replace(a, b))\n\nsub('tests/test_calc.py', '4', '5')\nE",
            "python3 - <<'E'\nfrom pathlib import Path\ndef edit(path: str, old: str, new: str = '') -> None:\n    p = Path(path)\n    p.write_text(p.read_text().replace(old, new, 1))\n\nedit('src/calc.py', 'a', 'b')\nedit('tests/test_calc.py', '4', '5')\nE",
            "python3 - <<'E'\ndef put(s, path):\n    with open(path, 'w') as f:\n        f.write(s)\ndef main():\n    put('x', path='tests/a.py')\nmain()\nE",
            "python3 -c \"w = lambda p, s: open(p, 'w').write(s); w('tests/a.py', 'x')\"",
            "node -e \"const {readFileSync: r, writeFileSync: w} = require('fs'); const edit = (p, f) => w(p, f(r(p, 'utf8'))); edit('tests/a.py', s => s);\"",
            "node -e \"const fs = require('fs'); function put(p, s) { fs.writeFileSync(p, s) } put('tests/a.py', '')\"",
            "node -e \"const fs = require('fs'); const put = p => fs.writeFileSync(p, ''); put('tests/a.py')\"",
            "ruby -e 'def put(path, s)\n  File.write(path, s)\nend\nput(\"tests/a.py\", \"\")'",
            "php -r 'function put($p) { file_put_contents($p, \"\"); } put(\"tests/a.py\");'",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "python3 - <<'E'\ndef load(path):\n    return open(path).read()\ndef save(path, s):\n    open(path, 'w').write(s)\nsave('src/calc.py', load('tests/test_calc.py'))\nE",
            "python3 - <<'E'\ndef save(path, s):\n    open(path, 'w').write(s)\ndef load(path):\n    return open(path).read()\nsave('src/calc.py', 'x')\nprint(load('tests/test_calc.py'))\nE",
            "python3 - <<'E'\ndef save(s, path):\n    open(path, 'w').write(s)\nsave('tests/test_calc.py', 'src/calc.py')\nE",
            "node -e \"const fs = require('fs'); const copy = (from, to) => fs.writeFileSync(to, fs.readFileSync(from)); copy('tests/test_calc.py', '/tmp/x')\"",
        ],
    );
}

#[test]
fn the_path_stands_in_a_table() {
    all_denied(
        State::GREEN,
        &[
            "python3 - <<'E'\nfrom pathlib import Path\nedits = {\n    'src/calc.py': [('a', 'b')],\n    'tests/test_calc.py': [('c', 'd')],\n}\nfor name, pairs in edits.items():\n    p = Path(name)\n    s = p.read_text()\n    for a, b in pairs:\n        s = s.replace(a, b)\n    p.write_text(s)\nE",
            "python3 - <<'E'\nfor path, old, new in [('tests/test_calc.py', '4', '5'), ('src/calc.py', 'a', 'b')]:\n    s = open(path).read()\n    open(path, 'w').write(s.replace(old, new))\nE",
            "python3 - <<'E'\nedits = [('4', 'tests/test_calc.py')]\nfor i, (old, path) in enumerate(edits):\n    open(path, 'w').write(old)\nE",
            "python3 - <<'E'\nfor path in sorted({'tests/a.py', 'src/a.py'}):\n    open(path, 'w')\nE",
            "python3 - <<'E'\nimport shutil\nfor src, dst in {'/tmp/a': 'tests/a.py'}.items():\n    shutil.copy(src, dst)\nE",
            "python3 - <<'E'\nimport subprocess as s\nfor c in (['git', 'checkout', '--', '.'], ['ls']):\n    s.run(c)\nE",
            "python3 - <<'E'\nimport subprocess\ncmd = ['git', 'reset', '--hard']\nsubprocess.run(cmd, check=True)\nE",
            "node -e \"const fs=require('fs'); for (const [p, s] of Object.entries({'tests/a.py': 'x'})) fs.writeFileSync(p, s)\"",
            "node -e \"const fs=require('fs'); const edits=[['x','tests/a.py']]; for (const [s, p] of edits) { fs.writeFileSync(p, s) }\"",
            "node -e \"const s=require('fs');s.readdirSync('tests').forEach(f=>s.unlinkSync('tests/'+f))\"",
            "node -e \"const s=require('fs');s.readdirSync('src').map(f=>s.unlinkSync('tests/'+f))\"",
            "python3 - <<'E'\nimport os\nfor f in os.listdir('tests'):\n    os.remove(os.path.join('tests', f))\nE",
            "python3 -c \"import os; [os.remove('tests/' + f) for f in os.listdir('tests')]\"",
            "python3 -c \"import os\nfor d, ds, fs in os.walk('tests'):\n    for f in fs:\n        os.remove(os.path.join(d, f))\"",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "python3 - <<'E'\nimport shutil\nfor src, dst in {'tests/test_calc.py': '/tmp/a'}.items():\n    shutil.copy(src, dst)\nE",
            "python3 - <<'E'\nfor path, old in [('src/calc.py', 'tests/test_calc.py'), ('src/lib.rs', 'tests/x.py')]:\n    open(path, 'w').write(old)\nE",
            "python3 - <<'E'\nfor f in ['tests/test_calc.py', 'tests/test_parser.py']:\n    open('/tmp/' + f, 'w').write(open(f).read())\nE",
            "python3 - <<'E'\nimport os\nfor f in ['tests/test_calc.py', 'tests/test_parser.py']:\n    with open(os.path.join('/tmp', f), 'w') as out:\n        out.write(open(f).read())\nE",
            "node -e \"const s=require('fs');s.readdirSync('tests').forEach(f=>s.unlinkSync('/tmp/copies/'+f))\"",
            "node -e \"const s=require('fs');s.readdirSync('tests').forEach(f=>s.writeFileSync('src/'+f+'.txt',''))\"",
            "node -e \"const fs=require('fs'); for (const [from, to] of [['tests/a.py', '/tmp/a']]) fs.copyFileSync(from, to)\"",
        ],
    );
}

#[test]
fn the_program_changes_its_directory() {
    all_denied(
        State::GREEN,
        &[
            "python3 - <<'E'\nimport os\nos.chdir('tests')\nopen('helper.txt', 'w').write('x')\nE",
            "node -e \"process.chdir('tests'); require('fs').writeFileSync('a.txt','x')\"",
            "ruby -e 'Dir.chdir(\"tests\"); File.write(\"a.txt\", \"\")'",
            "python3 -c \"import os; os.chdir('/tmp'); os.system('cd @REPO@ && rm tests/test_calc.py')\"",
        ],
    );
    all_allowed(
        RED,
        &[
            "python3 -c \"import os; os.makedirs('/tmp/a/src', exist_ok=True); os.chdir('/tmp/a'); open('src/calc.py','w').write('x')\"",
            "python3 -c \"import os, tempfile; os.chdir(tempfile.mkdtemp()); open('src/calc.py','w').write('x')\"",
            "node -e \"process.chdir('/tmp/a'); require('fs').writeFileSync('src/calc.js','x')\"",
        ],
    );
}

#[test]
fn what_other_objects_execute_is_no_shell_text() {
    all_allowed(
        RED,
        &[
            "python3 -c \"import sqlite3; c=sqlite3.connect(':memory:'); c.execute('create table t(a)')\"",
            "python3 - <<'E'\ncur.execute('CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY)')\nfor row in cur.execute(\"SELECT name, count(*) FROM users WHERE id > 1 GROUP BY name\"):\n    print(row)\nE",
            "node -e \"const m=/(\\d+)\\)/.exec('abc (12)'); console.log(m[1])\"",
            "node -e \"const re=/x/; let m; while ((m = re.exec('if (a) then')) !== null) console.log(m)\"",
            "node -e \"db.exec('CREATE TABLE t (a INT)'); db.prepare('x').run('a (b')\"",
            "php -r '$pdo->exec(\"CREATE TABLE t (a INT)\"); $st->execute([\"a\"]);'",
            "ruby -e 'db.execute(\"SELECT count(*) FROM t WHERE (a > 1)\")'",
        ],
    );
    all_denied(
        State::GREEN,
        &[
            "node -e \"const c=require('child_process'); c.exec('rm tests/test_calc.py')\"",
            "lua -e 'os.execute(\"rm tests/test_calc.py\")'",
            "python3 -c \"import os; os.system('(rm tests/test_calc.py')\"",
        ],
    );
}

#[test]
fn modules_that_write_too() {
    all_denied(
        State::GREEN,
        &[
            "python3 -c \"import urllib.request as u; u.urlretrieve('http://x/y.py', 'tests/y.py')\"",
            "python3 -c \"import zipfile; zipfile.ZipFile('/tmp/x.zip').extractall('tests')\"",
            "python3 -c \"import tarfile; tarfile.open('/tmp/x.tar').extractall(path='tests')\"",
            "python3 -c \"import shutil; shutil.unpack_archive('/tmp/x.zip', 'tests')\"",
            "node -e \"require('fs').cpSync('/tmp/n', 'tests', {recursive:true})\"",
        ],
    );
    all_denied(
        RED,
        &["python3 -c \"import zipfile; zipfile.ZipFile('/tmp/x.zip').extractall('src')\""],
    );
}

#[test]
fn the_path_is_kept_in_an_object() {
    all_denied(
        State::GREEN,
        &[
            "python3 - <<'E'\nclass Editor:\n    def __init__(self, path):\n        self.path = path\n    def save(self, text):\n        with open(self.path, 'w') as f:\n            f.write(text)\n\nEditor('tests/test_calc.py').save('')\nE",
            "python3 - <<'E'\nimport pathlib\nwith pathlib.Path('tests/test_calc.py').open(mode='w') as f: f.write('')\nE",
            "node -e \"const path = require('path'); const d = path.join(__dirname, 'tests'); require('fs').writeFileSync(path.join(d, 'a.py'), '')\"",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "python3 - <<'E'\nclass Editor:\n    def __init__(self, path, test):\n        self.path = path\n        self.test = open(test).read()\n    def save(self):\n        open(self.path, 'w').write('x')\n\nEditor('src/calc.py', 'tests/test_calc.py').save()\nE",
        ],
    );
}

#[test]
fn loops_of_other_languages() {
    all_denied(
        State::GREEN,
        &[
            "ruby -e '%w[src/a.py tests/test_calc.py].each do |f|\n  File.write(f, \"\")\nend'",
            "perl -e 'for my $f (glob(\"tests/*.py\")) { unlink $f; }'",
            "perl -e 'foreach $f (\"tests/test_calc.py\") { unlink($f) }'",
            "perl -e 'for my $f (qw(src/a.py tests/test_calc.py)) { unlink $f }'",
            "php -r 'foreach (glob(\"tests/*.py\") as $f) { unlink($f); }'",
            "php -r '$fs = [\"tests/test_calc.py\"]; foreach ($fs as $f) { file_put_contents($f, \"\"); }'",
            "php -r 'foreach ([\"tests/a.py\" => \"x\"] as $f => $s) { file_put_contents($f, $s); }'",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "php -r 'foreach ([\"tests/a.py\" => \"src/a.py\"] as $from => $to) { copy($from, $to); }'",
            "perl -e 'for my $f (glob(\"tests/*.py\")) { open(my $h, \"<\", $f); print <$h>; }'",
            "ruby -e '%w[src/a.py src/b.py].each { |f| File.write(f, File.read(\"tests/test_calc.py\")) }'",
        ],
    );
}

#[test]
fn the_path_is_put_together() {
    all_denied(
        State::GREEN,
        &[
            "python3 -c \"import os; os.remove('/'.join(['tests', 'test_calc.py']))\"",
            "python3 -c \"import os; os.remove('./' + '/'.join(('tests', 'test_calc.py')))\"",
            "python3 -c \"import os; os.remove('tests' + os.sep + 'test_calc.py')\"",
            "python3 -c \"import os; os.remove('%s/%s' % ('tests', 'test_calc.py'))\"",
            "python3 -c \"d = 'tests'; open('%s/test_calc.py' % d, 'w')\"",
            "python3 -c \"import os; os.remove('{}/{}'.format('tests', 'test_calc.py'))\"",
            "python3 -c \"import os; os.remove('{1}/{0}'.format('test_calc.py', 'tests'))\"",
            "python3 -c \"open('{d}/a.py'.format(d='tests'), 'w')\"",
            "python3 - <<'E'\nfor name in ['calc', 'parser']:\n    open('tests/test_{}.py'.format(name), 'w')\nE",
            "node -e \"require('fs').unlinkSync(['tests', 'test_calc.py'].join('/'))\"",
            "node -e \"const path=require('path'); require('fs').unlinkSync('tests' + path.sep + 'test_calc.py')\"",
            "ruby -e 'File.delete([\"tests\", \"test_calc.py\"].join(\"/\"))'",
            "perl -e 'unlink(sprintf(\"%s/test_calc.py\", \"tests\"))'",
            "php -r 'unlink(sprintf(\"%s/%s\", \"tests\", \"test_calc.py\"));'",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "python3 -c \"open('{}/{}'.format('/tmp', 'tests'), 'w')\"",
            "python3 -c \"open('%s/%s' % ('src', 'tests.py'), 'w').write('%d tests/' % 3)\"",
            "python3 -c \"open('/tmp/' + '_'.join(['tests', 'a.py']), 'w')\"",
            "python3 -c \"open('src/a.py', 'w').write('\\n'.join(['tests/test_calc.py']))\"",
            "node -e \"require('fs').writeFileSync(['src', 'a.js'].join('/'), ['tests/a.js'].join(','))\"",
        ],
    );
}

#[test]
fn the_path_or_the_code_is_encoded() {
    all_denied(
        State::GREEN,
        &[
            "python3 -c \"import base64; exec(base64.b64decode('b3BlbigndGVzdHMvdGVzdF9jYWxjLnB5Jywndycp'))\"",
            "python3 -c \"import base64; exec(base64.b64decode('b3BlbigndGVzdHMvdGVzdF9jYWxjLnB5Jywndycp').decode('utf8'))\"",
            "python3 -c \"import os; os.remove(bytes.fromhex('74657374732f746573745f63616c632e7079').decode())\"",
            "node -e \"eval(atob('cmVxdWlyZSgnZnMnKS51bmxpbmtTeW5jKCd0ZXN0cy90ZXN0X2NhbGMucHknKQ=='))\"",
            "node -e \"require('fs').unlinkSync(Buffer.from('74657374732f746573745f63616c632e7079', 'hex').toString())\"",
            "php -r 'unlink(base64_decode(\"dGVzdHMvdGVzdF9jYWxjLnB5\"));'",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "python3 -c \"import base64; print(base64.b64decode('dGVzdHMvdGVzdF9jYWxjLnB5').decode())\"",
            "python3 -c \"import base64; open('/tmp/x', 'wb').write(base64.b64decode('dGVzdHMvdGVzdF9jYWxjLnB5'))\"",
            "node -e \"console.log(Buffer.from('dGVzdHM=', 'base64').toString(), Array.from([1]))\"",
        ],
    );
}

#[test]
fn the_function_or_its_mode_has_another_name() {
    all_denied(
        State::GREEN,
        &[
            "python3 -c \"o = open; o('tests/test_calc.py', 'w')\"",
            "python3 -c \"import os; rm = os.remove; rm('tests/test_calc.py')\"",
            "python3 -c \"m = 'w'; open('tests/test_calc.py', m)\"",
            "python3 -c \"m = 'w'; open('tests/test_calc.py', mode=m)\"",
            "python3 -c \"__builtins__.open('tests/test_calc.py', 'w')\"",
            "node -e \"const fs = require('fs'); const w = fs.writeFileSync; w('tests/a.py', '')\"",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "python3 -c \"o = open; print(o('tests/test_calc.py').read())\"",
            "python3 -c \"m = 'r'; open('tests/test_calc.py', m)\"",
            "python3 -c \"p = args.output; print(p, 'tests/test_calc.py')\"",
        ],
    );
}

#[test]
fn the_path_is_one_of_several_values() {
    all_denied(
        State::GREEN,
        &[
            "python3 - <<'E'\na, b = 'tests/test_calc.py', 'w'\nopen(a, b)\nE",
            "python3 - <<'E'\nsrc, dst = '/tmp/x', 'tests/a.py'\nimport shutil; shutil.copy(src, dst)\nE",
            "python3 - <<'E'\nif (p := 'tests/test_calc.py'):\n    open(p, 'w')\nE",
            "python3 - <<'E'\nimport sys\npath = sys.argv[1] if len(sys.argv) > 1 else 'tests/test_calc.py'\nwith open(path, 'w') as f: f.write('')\nE",
            "python3 - <<'E'\ncfg = {'mode': 'x', 'path': 'tests/test_calc.py'}\nopen(cfg['path'], 'w')\nE",
            "node -e \"const fs=require('fs');const p={a:'tests/a.py'};fs.writeFileSync(p.a,'')\"",
            "gh release download v1 -D tests",
            "python3 -c \"p = 'src/test_calc.py'.replace('src', 'tests'); open(p, 'w')\"",
            "python3 -c \"import subprocess, shlex; subprocess.run(shlex.split('rm tests/test_calc.py'))\"",
            "make test SHELL='rm tests/test_calc.py;'",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "python3 - <<'E'\na, b = 'tests/test_calc.py', 'src/calc.py'\nopen(b, 'w').write(open(a).read())\nE",
            "python3 - <<'E'\nsrc, dst = 'tests/a.py', '/tmp/x'\nimport shutil; shutil.copy(src, dst)\nE",
            "python3 -c \"p = 'tests/test_calc.py'.replace('tests/test_', 'src/'); open(p, 'w')\"",
            "python3 - <<'E'\nout = '/tmp/a' if True else '/tmp/b'\nopen(out, 'w').write('tests/test_calc.py' if out else 'x')\nE",
            "python3 -c \"import shlex; print(shlex.split('rm tests/test_calc.py'))\"",
            "make test SHELL=/bin/bash",
            "python3 - <<'E'\ncfg = {'test': 'tests/test_calc.py', 'source': 'src/calc.py'}\nopen(cfg['source'], 'w').write(open(cfg['test']).read())\nE",
            "node -e \"const fs=require('fs');const p={from:'tests/a.py',to:'/tmp/a'};fs.writeFileSync(p.to,fs.readFileSync(p.from))\"",
            "gh run download 12 -D /tmp/artifacts",
            "gh release download v1",
        ],
    );
}

#[test]
fn programs_that_nest_without_end_are_not_understood() {
    const DEEP: usize = 20_000;
    let (opened, closed) = ("(".repeat(DEEP), ")".repeat(DEEP));
    let lists = format!("{}'a'{}", "[".repeat(DEEP), "]".repeat(DEEP));
    let programs = [
        ("python3 -", format!("open({opened}'a'{closed}, 'w')")),
        ("python3 -", format!("open({lists}, 'w')")),
        ("python3 -", "open(".repeat(DEEP)),
        (
            "python3 -",
            format!("open({}'a'{closed}, 'w')", "'%s' % (".repeat(DEEP)),
        ),
        (
            "python3 -",
            format!("open({}'a'{closed}, 'w')", "'{}'.format(".repeat(DEEP)),
        ),
        ("ruby -", format!("File.write({lists}, '')")),
        ("perl -", format!("open({opened}'a'{closed}, 'w')")),
        ("node -", format!("fs.writeFileSync({lists}, '')")),
        ("php", format!("<?php file_put_contents({lists}, '');")),
    ];
    for (interpreter, program) in programs {
        let command = format!("{interpreter} <<'EOF'\n{program}\nEOF");
        let why = World::new().denial(&command, State::GREEN);
        let shown = &program[..40];
        assert!(
            why.is_some_and(|why| why.contains("nest deeper")),
            "{shown}"
        );
    }
}

#[test]
fn brackets_in_strings_do_not_nest() {
    let text = "assert lex('(') == [OPEN]\\n".repeat(300);
    let written = format!("python3 - <<'E'\nopen('src/a.py', 'w').write(\"{text}\")\nE");
    let (opened, closed) = ("(".repeat(20_000), ")".repeat(20_000));
    let held = format!("python3 - <<'E'\nprint(f'{{{opened}a{closed}}}')\nE");
    all_allowed(State::GREEN, &[&written, &held]);
}

#[test]
fn operators_one_after_the_other_are_read_to_their_end() {
    let long = format!(
        "python3 - <<'E'\nopen('tests/a'{}, 'w')\nE",
        " % b".repeat(30_000)
    );
    all_denied(
        State::GREEN,
        &[
            &long,
            "python3 -c \"open('%s/' % 'tests' + 'a.py', 'w')\"",
            "python3 -c \"open('%s%%s' % 'tests/' % 'a.py', 'w')\"",
        ],
    );
}
