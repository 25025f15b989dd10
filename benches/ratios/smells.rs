//! How long it takes to look at 20,000 lines of tests, per language; a second is allowed.

use std::time::{Duration, Instant};

use git_tcr::smells::{Role, Values, examine};

use crate::measure::{Ratio, Sides, medians};

const LINES: usize = 20_000;
/// Files of this many lines, as people write them.
const LINES_PER_FILE: usize = 500;

/// A language, the name of a test file, and a test.
const LANGUAGES: &[(&str, &str, &str)] = &[
    (
        "python",
        "tests/test_a.py",
        "def test_sum_N(client, tmp_path):\n    path = tmp_path / 'a.txt'\n    path.write_text('1 2 3')\n    response = client.post('/sum', data={'file': path, 'name': \"N\"})\n    assert response.status_code == 200\n    assert response.json()['sum'] == 6, response.text\n\n",
    ),
    (
        "typescript",
        "src/a.test.ts",
        "describe('sum N', () => {\n  it('adds what is in the file', async () => {\n    const response: Response = await client.post('/sum', { body: [1, 2, 3], name: `N` });\n    expect(response.status).toBe(200);\n    expect((await response.json()).sum).toEqual(6);\n  });\n});\n\n",
    ),
    (
        "rust",
        "tests/a.rs",
        "#[test]\nfn sum_N() -> Result<(), Error> {\n    let response = client().post(\"/sum\").json(&vec![1, 2, 3])?;\n    assert_eq!(response.status(), 200, \"{response:?}\");\n    assert_eq!(response.json::<Sum>()?.sum, 6);\n    Ok(())\n}\n\n",
    ),
    (
        "go",
        "a_test.go",
        "func TestSumN(t *testing.T) {\n\tresponse, err := client.Post(\"/sum\", []int{1, 2, 3})\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif response.Sum != 6 {\n\t\tt.Errorf(\"sum is %d\", response.Sum)\n\t}\n}\n\n",
    ),
    (
        "java",
        "ATest.java",
        "class SumNTest {\n    @Test\n    void addsWhatIsInTheFile() throws Exception {\n        Response response = client.post(\"/sum\", List.of(1, 2, 3));\n        assertEquals(200, response.status());\n        assertThat(response.json().get(\"sum\")).isEqualTo(6);\n    }\n}\n\n",
    ),
    (
        "ruby",
        "spec/a_spec.rb",
        "RSpec.describe 'sum N' do\n  it 'adds what is in the file' do\n    response = client.post('/sum', numbers: [1, 2, 3])\n    expect(response.status).to eq(200)\n    expect(response.json['sum']).to eq(6)\n  end\nend\n\n",
    ),
    (
        "php",
        "tests/ATest.php",
        "class SumNTest extends TestCase {\n    public function testAddsWhatIsInTheFile(): void {\n        $response = $this->client->post('/sum', [1, 2, 3]);\n        $this->assertSame(200, $response->status());\n        $this->assertSame(6, $response->json()['sum']);\n    }\n}\n\n",
    ),
];

pub(crate) fn by_language(rounds: usize, show: &mut dyn FnMut(Ratio)) {
    for (language, path, test) in LANGUAGES {
        let mut file = if *language == "php" { "<?php\n" } else { "" }.to_owned();
        let mut number = 0;
        while file.lines().count() < LINES_PER_FILE {
            number += 1;
            file.push_str(&test.replace('N', &number.to_string()));
        }
        let lines = file.lines().count();
        let (ours, yardstick) = medians(
            rounds,
            &mut Sides {
                ours: &mut |_| time(path, file.as_bytes(), LINES / lines),
                yardstick: &mut |_| Duration::from_secs(1),
            },
        );
        show(Ratio::new(
            "smells of 20,000 lines / 1 s",
            language,
            ours,
            yardstick,
            1.0,
        ));
    }
}

fn time(path: &str, content: &[u8], times: usize) -> Duration {
    let started = Instant::now();
    for _ in 0..times {
        let examined = examine(path, content, Role::Test, &Values::new()).expect("a language");
        assert!(examined.tests > 0 && examined.trouble.is_none(), "{path}");
    }
    started.elapsed()
}
