use super::*;
use crate::rules::smell::Rule;
use crate::smells::{AllowProblem, BadAllow};

fn found(path: &str, content: &str) -> Vec<(usize, &'static str)> {
    let examined =
        examine(path, content.as_bytes(), Role::Test, &Values::new()).expect("a known language");
    assert_eq!(examined.trouble, None, "{path}");
    examined
        .findings
        .iter()
        .map(|finding| (finding.line, finding.rule.name()))
        .collect()
}

/// One file per language in which every rule about tests has its say, and its counterpart.
#[test]
fn python() {
    let file = "\
import time, pytest
from unittest.mock import Mock, patch
def helper(x):
    assert x
def test_nothing():
    add(1, 2)
def test_through_a_helper():
    helper(add(1, 2))
def test_raises():
    with pytest.raises(ValueError):
        add(None, 1)
def test_true():
    assert True
def test_itself():
    x = add(1, 2)
    assert x == x
def test_tuple():
    assert (add(1, 2), 3)
def test_fine():
    assert add(1, 2) == 3
@pytest.mark.skip(reason='later')
def test_later():
    assert add(1, 2) == 3
@pytest.mark.skipif(WINDOWS, reason='no signals')
def test_conditional():
    if BROKEN:
        pytest.skip('not here')
    assert add(1, 2) == 3
def test_skips():
    pytest.skip('never')
def test_sleeps():
    time.sleep(1)
    time.sleep(0)
    assert add(1, 2) == 3
@patch('a.b')
def test_mocks(b):
    a, c, d = Mock(), Mock(), Mock()
    assert b(a, c, d)
class TestSum(TestCase):
    def test_unit(self):
        self.assertTrue(True)
        self.assertEqual(add(1, 2), 3)
    def test_inherited(self):
        self.run_scenario(1)
def test_command():
    @command()
    def test():
        pass
    assert invoke(test) == 0
@pytest.fixture
def test_apps():
    return add(1, 2)
def test_eq():
    a, b = Sum(1), Sum(2)
    assert a == a
    assert a != b
def test_thread():
    def work():
        time.sleep(1)
    assert run(work) == 3
def test_does_not_raise():
    add(1, 2)
";
    assert_eq!(
        found("tests/test_a.py", file),
        [
            (5, "no_assertion"),
            (13, "tautology"),
            (16, "tautology"),
            (18, "tautology"),
            (21, "skipped_test"),
            (30, "skipped_test"),
            (32, "sleeping_test"),
            (36, "many_mocks"),
            (41, "tautology"),
        ]
    );
}

#[test]
fn typescript_and_javascript() {
    let file = "\
import { add } from './add';
describe('add', () => {
  it('says nothing', () => { add(1, 2); });
  it('adds', () => { expect(add(1, 2)).toBe(3); });
  it('is itself', () => { const x = add(1, 2); expect(x).toBe(x); });
  it('is not itself', () => { const x = add(1, 2); expect(x).not.toBe(x); });
  it('is true', () => { expect(true).toBe(true); });
  it.only('is alone', () => { expect(add(1, 2)).toBe(3); });
  it.skip('is off', () => { expect(add(1, 2)).toBe(3); });
  xit('is off too', () => { expect(add(1, 2)).toBe(3); });
  it('waits', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(add(1, 2)).toBe(3);
  });
  it('has timers', () => { setTimeout(() => add(1, 2), 5); expect(add(1, 2)).toBe(3); });
  it('mocks', () => {
    const [a, b, c, d] = [jest.fn(), jest.fn(), jest.fn(), vi.fn()];
    expect(a(b, c, d)).toBe(3);
  });
  it.each([[1, 2]])('adds %d', (a, b) => { expect(add(a, b)).toBe(3); });
  it('rejects', async () => { await assert.rejects(add()); });
  it('calls back', (done) => { add(1, () => done()); });
});
test('marks places', (t) => { t.plan(1); run(() => t.ok(true)); });
test('fakes the clock', async () => {
  vi.useFakeTimers();
  await sleep(100);
  expect(add(1, 2)).toBe(3);
});
test('has types', () => { util.assertEqual<A<B>, C>(add); });
describe.only('group', () => { test('x', (t) => { t.equal(add(1, 2), 3); }); });
";
    let expected = [
        (3, "no_assertion"),
        (5, "tautology"),
        (7, "tautology"),
        (8, "focused_test"),
        (9, "skipped_test"),
        (10, "skipped_test"),
        (12, "sleeping_test"),
        (16, "many_mocks"),
        (31, "focused_test"),
    ];
    for path in ["a.test.ts", "a.test.js", "a.test.tsx", "a.spec.mjs"] {
        assert_eq!(found(path, file), expected, "{path}");
    }
}

#[test]
fn rust() {
    let file = "\
#[cfg(test)]
mod tests {
    fn check(x: i32) { assert!(x > 0); }
    #[test]
    fn nothing() { add(1, 2); }
    #[test]
    fn through_a_helper() { check(add(1, 2)); }
    #[test]
    fn always() { assert!(true); }
    #[test]
    fn itself() { let x = add(1, 2); assert_eq!(x, x); }
    #[test]
    fn fine() { assert_eq!(add(1, 2), 3); }
    #[test]
    fn asks() -> Result<()> { add(1, 2)?; Ok(()) }
    #[test]
    #[ignore]
    fn ignored() { assert_eq!(add(1, 2), 3); }
    #[cfg(not(unix))] #[ignore = \"needs signals\"] #[test] fn elsewhere() {}
    #[tokio::test]
    async fn sleeps() { tokio::time::sleep(SECOND).await; assert_eq!(add(1, 2), 3); }
    #[test]
    #[should_panic(expected = \"no\")]
    fn panics() { add(0, 0); }
    #[test]
    fn is_fit() { requires::<Sum>(); }
    #[tokio::test]
    async fn spawns() { tokio::spawn(async { sleep(SECOND).await; }); assert_eq!(add(1, 2), 3); }
    #[test]
    fn mocks() {
        let (a, b, c, d) = (MockA::new(), MockB::new(), MockC::new(), MockD::default());
        assert!(a.run(b, c, d));
    }
}
";
    assert_eq!(
        found("src/lib.rs", file),
        [
            (5, "no_assertion"),
            (9, "tautology"),
            (11, "tautology"),
            (17, "skipped_test"),
            (21, "sleeping_test"),
            (30, "many_mocks"),
        ]
    );
}

#[test]
fn go() {
    let file = "\
package a
func check(t *testing.T, x int) { if x != 3 { t.Fatal(x) } }
func TestNothing(t *testing.T) { Add(1, 2) }
func TestHelper(t *testing.T) { check(t, Add(1, 2)) }
func TestForeignHelper(t *testing.T) { testutil(t, Add(1, 2)) }
func TestFine(t *testing.T) {
	if Add(1, 2) != 3 { t.Errorf(\"no\") }
}
func TestTrue(t *testing.T) { assert.True(t, true) }
func TestItself(t *testing.T) { x := Add(1, 2); assert.Equal(t, x, x) }
func TestSkipped(t *testing.T) {
	t.Skip(\"later\")
}
func TestShort(t *testing.T) {
	if testing.Short() {
		t.Skip(\"slow\")
	}
	assert.Equal(t, Add(1, 2), 3)
}
func TestSleeps(t *testing.T) { time.Sleep(time.Second); check(t, Add(1, 2)) }
func TestMocks(t *testing.T) {
	a, b, c, d := NewMockA(x), NewMockB(x), mocks.NewMockC(x), NewMockD(x)
	check(t, Run(a, b, c, d))
}
";
    assert_eq!(
        found("a_test.go", file),
        [
            (3, "no_assertion"),
            (9, "tautology"),
            (10, "tautology"),
            (12, "skipped_test"),
            (20, "sleeping_test"),
            (21, "many_mocks"),
        ]
    );
}

#[test]
fn java() {
    let file = "\
class ATest {
  @Test void nothing() { add(1, 2); }
  @Test void fine() { assertEquals(3, add(1, 2)); }
  @Test void always() { assertTrue(true); }
  @Test void itself() { int x = add(1, 2); assertEquals(x, x); }
  @Test void thatItself() { int x = add(1, 2); assertThat(x).isEqualTo(x); }
  @Test @Disabled void off() { assertEquals(3, add(1, 2)); }
  @Test void sleeps() { Thread.sleep(100); assertEquals(3, add(1, 2)); }
  @Test(expected = X.class) void fails() { add(0, 0); }
  @Test void mocks() {
    var a = mock(A.class); var b = mock(B.class); var c = mock(C.class); var d = mock(D.class);
    assertEquals(3, run(a, b, c, d));
  }
}
";
    assert_eq!(
        found("ATest.java", file),
        [
            (2, "no_assertion"),
            (4, "tautology"),
            (5, "tautology"),
            (6, "tautology"),
            (7, "skipped_test"),
            (8, "sleeping_test"),
            (10, "many_mocks"),
        ]
    );
}

#[test]
fn ruby() {
    let file = "\
RSpec.describe 'add' do
  it 'says nothing' do
    add(1, 2)
  end
  it 'adds' do
    expect(add(1, 2)).to eq(3)
  end
  it 'is itself' do
    x = add(1, 2)
    expect(x).to eq(x)
  end
  xit 'is off' do
    expect(add(1, 2)).to eq(3)
  end
  fit 'is alone' do
    expect(add(1, 2)).to eq(3)
  end
  it 'waits' do
    sleep 1
    expect(add(1, 2)).to eq(3)
  end
  it 'is skipped' do
    skip 'later'
    expect(add(1, 2)).to eq(3)
  end
  it 'mocks' do
    run(double('a'), double('b'), instance_double(C), spy('d'))
    expect(add(1, 2)).to eq(3)
  end
  it { is_expected.to be_valid }
end
class TestAdd < Minitest::Test
  def test_true
    assert true
  end
  def test_fine
    assert_equal 3, add(1, 2)
  end
  def test_nothing
    add(1, 2)
  end
end
";
    assert_eq!(
        found("spec/a_spec.rb", file),
        [
            (2, "no_assertion"),
            (10, "tautology"),
            (12, "skipped_test"),
            (15, "focused_test"),
            (19, "sleeping_test"),
            (23, "skipped_test"),
            (26, "many_mocks"),
            (34, "tautology"),
            (39, "no_assertion"),
        ]
    );
}

#[test]
fn php() {
    let file = "\
<?php
class ATest extends TestCase {
    public function testNothing() { add(1, 2); }
    public function testFine() { $this->assertSame(3, add(1, 2)); }
    public function testTrue() { $this->assertTrue(true); }
    public function testItself() { $x = add(1, 2); $this->assertSame($x, $x); }
    public function testSkipped() {
        $this->markTestSkipped('later');
    }
    public function testSleeps() { sleep(1); $this->assertSame(3, add(1, 2)); }
    #[Test]
    public function marked() { add(1, 2); }
    /** @test */
    public function documented() { add(1, 2); }
    public function testMocks() {
        run($this->createMock(A::class), $this->createMock(B::class),
            $this->createStub(C::class), Mockery::mock(D::class));
        $this->assertSame(3, add(1, 2));
    }
    public function testThrows() { $this->expectException(X::class); add(0, 0); }
}
it('says nothing', function () { add(1, 2); });
test('adds', fn () => expect(add(1, 2))->toBe(3));
";
    assert_eq!(
        found("ATest.php", file),
        [
            (3, "no_assertion"),
            (5, "tautology"),
            (6, "tautology"),
            (8, "skipped_test"),
            (10, "sleeping_test"),
            (11, "no_assertion"),
            (14, "no_assertion"),
            (15, "many_mocks"),
            (22, "no_assertion"),
        ]
    );
}

/// A test without an assertion that can still fail, or that says what it is for, is no finding; one
/// that can't, or forgets to look, is. Per language: findings by line, in the order of the file.
#[test]
fn tests_that_look_at_nothing() {
    let cases: &[(&str, &str, &[usize])] = &[
        (
            "tests/test_a.py",
            "\
def test_empty():
    'It is to do something one day.'
def test_swallowed():
    try:
        add(1, 2)
    except Exception:
        pass
def test_swallowed_assertion():
    try:
        assert add(1, 2) == 4
    except AssertionError as error:
        print(error)
def test_suppressed():
    with contextlib.suppress(Exception):
        add(1, 2)
def test_forgotten():
    result = add(1, 2)
def test_printed():
    print(add(1, 2))
def test_lone():
    add(1, 2)
def test_runs(numbers):
    Calculator(numbers).add(1, 2)
def test_makes():
    Calculator(1, 2)
def test_defines():
    @command
    class Add:
        pass
def test_many():
    for number in range(3):
        add(number, 2)
def test_has_words():
    # Would overflow on 32 bits.
    add(1, 2)
def test_one_error_is_fine():
    try:
        add(1, 2)
    except OverflowError:
        pass
def test_meant():
    _ = add(1, 2)
def test_is_no_test(value) -> bool:
    return value == 1
",
            &[1, 3, 8, 13, 16, 18, 20],
        ),
        (
            "a.test.ts",
            "\
it('is empty', () => {});
it('is swallowed', () => { try { add(1, 2); } catch { } });
it('is swallowed too', () => { try { expect(add(1, 2)).toBe(4); } catch (e) { console.log(e); } });
it('is forgotten', async () => { const result = await add(1, 2); });
it('is printed', () => { console.log(add(1, 2)); });
it('is alone', () => { add(1, 2); });
it('is short', () => add(1, 2));
it('runs', () => { calculator.add(1, 2); });
it('is a type', () => { const sum: Sum = add(1, 2); });
it('is only a type', () => { type A = B; const a: A = { b: 1 }; });
it('says more', (t) => { t['throws'](() => add(1)); });
",
            &[1, 2, 3, 4, 5, 6, 7],
        ),
        (
            "src/lib.rs",
            "\
#[test]
fn empty() {}
#[test]
fn swallowed() { let _ = std::panic::catch_unwind(|| add(1, 2)); }
#[test]
fn forgotten() { let result = add(1, 2); }
#[test]
fn printed() { println!(\"{}\", add(1, 2)); }
#[test]
fn lone() { add(1, 2); }
#[test]
fn runs() { Calculator::new(1).add(2); }
#[test]
fn drops() { let _sum = add(1, 2); }
#[test]
fn prints_if_it_can() { println!(\"{}\", add(1, 2).unwrap()); }
",
            &[2, 4, 6, 8, 10],
        ),
        (
            "a_test.go",
            "\
package a
func TestEmpty(t *testing.T) {}
func TestSwallowed(t *testing.T) {
	defer func() { recover() }()
	calculator.Add(1, 2)
}
func TestPrinted(t *testing.T) { fmt.Println(Add(1, 2)) }
func TestLone(t *testing.T) { Add(1, 2) }
func TestRuns(t *testing.T) { calculator.Add(1, 2) }
func TestMeant(t *testing.T) { _ = Add(1, 2) }
",
            &[2, 3, 7, 8],
        ),
        (
            "ATest.java",
            "\
class ATest {
  @Test void empty() {}
  @Test void swallowed() { try { sum.add(1, 2); } catch (Exception e) { e.printStackTrace(); } }
  @Test void swallowedAssertion() { try { assertEquals(4, add(1, 2)); } catch (Throwable e) {} }
  @Test void forgotten() { int result = add(1, 2); }
  @Test void printed() { System.out.println(add(1, 2)); }
  @Test void lone() { add(1, 2); }
  @Test void runs() { sum.add(1, 2); }
  @Test void caught() { try { assertEquals(4, add(1, 2)); } catch (Exception e) {} }
}
",
            &[2, 3, 4, 5, 6, 7],
        ),
        (
            "spec/a_spec.rb",
            "\
it 'is empty' do
end
it 'is swallowed' do
  begin
    sum.add(1, 2)
  rescue
  end
end
it 'is swallowed too' do
  begin
    expect(add(1, 2)).to eq(4)
  rescue Exception => error
    puts error
  end
end
it 'is forgotten' do
  result = add(1, 2)
end
it 'is printed' do
  puts add(1, 2)
end
it 'is alone' do
  add(1, 2)
end
it 'runs' do
  sum.add(1, 2)
end
",
            &[1, 3, 9, 16, 19, 22],
        ),
        (
            "ATest.php",
            "\
<?php
class ATest extends TestCase {
    public function testEmpty() {}
    public function testSwallowed() { try { $sum->add(1, 2); } catch (\\Exception $e) { } }
    public function testForgotten() { $result = add(1, 2); }
    public function testPrinted() { echo add(1, 2); }
    public function testLone() { add(1, 2); }
    public function testRuns() { $sum->add(1, 2); }
}
",
            &[3, 4, 5, 6, 7],
        ),
    ];
    let expected = |lines: &[usize]| -> Vec<_> {
        let named = lines.iter().map(|line| (*line, "no_assertion"));
        named.collect()
    };
    let wrong: Vec<_> = cases
        .iter()
        .map(|(path, content, lines)| (path, found(path, content), expected(lines)))
        .filter(|(_, found, expected)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn long_tests() {
    let many = |line: &str, count: usize| line.repeat(count);
    let asserts = format!("def test_a():\n{}", many("    assert a()\n", 26));
    assert_eq!(found("test_a.py", &asserts), [(1, "many_assertions")]);
    let fewer = format!("def test_a():\n{}", many("    assert a()\n", 25));
    assert_eq!(found("test_a.py", &fewer), []);
    let rounds = format!("def test_a():\n{}", many("    x = a()\n    assert x\n", 11));
    assert_eq!(found("test_a.py", &rounds), [(1, "many_behaviours")]);
    let both = format!("def test_a():\n{}", many("    x = a()\n    assert x\n", 26));
    assert_eq!(found("test_a.py", &both), [(1, "many_behaviours")]);
    let fewer = format!("def test_a():\n{}", many("    x = a()\n    assert x\n", 10));
    assert_eq!(found("test_a.py", &fewer), []);
}

#[test]
fn a_comment_with_a_reason_allows_a_finding() {
    let with = |comment: &str| {
        let file = format!("def test_a():  {comment}\n    add(1, 2)\n");
        examine("test_a.py", file.as_bytes(), Role::Test, &Values::new()).expect("python")
    };
    let allowed = with("# tcr:allow no_assertion: it must not hang");
    assert_eq!((allowed.findings.len(), allowed.allowed), (0, 1));
    assert!(allowed.bad_allows.is_empty());

    for comment in ["# tcr:allow no_assertion", "# tcr:allow no_assertion:  "] {
        let bad = with(comment);
        assert_eq!(bad.findings.len(), 1, "{comment}");
        assert_eq!(
            bad.bad_allows,
            [BadAllow {
                line: 1,
                problem: AllowProblem::NoReason(Rule::NoAssertion)
            }]
        );
    }
    let unknown = with("# tcr:allow no-assertions: because");
    assert_eq!(unknown.findings.len(), 1);
    assert_eq!(
        unknown.bad_allows.first().map(|bad| &bad.problem),
        Some(&AllowProblem::UnknownRule("no-assertions".into()))
    );
    let other_rule = with("# tcr:allow tautology: because");
    assert_eq!(other_rule.findings.len(), 1);

    let in_text = "def test_a():\n    add('tcr:allow no_assertion: text is no comment')\n";
    assert_eq!(found("test_a.py", in_text), [(1, "no_assertion")]);
    let above = "\
class A {
  // tcr:allow no_assertion: it must not throw
  @Test void a() { add(1, 2); }
  @Test void b() { add(1, 2); }
}
";
    assert_eq!(found("ATest.java", above), [(4, "no_assertion")]);
}

#[test]
fn source_that_knows_of_its_tests() {
    let of = |path: &str, content: &str, role| {
        let examined =
            examine(path, content.as_bytes(), role, &Values::new()).expect("a known language");
        let lines: Vec<usize> = examined
            .findings
            .iter()
            .filter(|finding| finding.rule == Rule::TestAwareSource)
            .map(|finding| finding.line)
            .collect();
        lines
    };
    let rust = "// cfg!(test)\nfn a() -> u8 { if cfg!(test) { 1 } else { 2 } }\n#[cfg(not(test))]\nfn b() {}\n";
    assert_eq!(of("src/a.rs", rust, Role::Source), [2, 3]);
    assert_eq!(of("tests/a.rs", rust, Role::Test), [] as [usize; 0]);
    let python = "import os\nif 'PYTEST_CURRENT_TEST' in os.environ:\n    pass\n";
    assert_eq!(of("a.py", python, Role::Source), [2]);
}

#[test]
fn values_copied_from_a_test() {
    let cases = [
        (
            "test_a.py",
            "def test_a():\n    assert roman(4) == 'IV'\n",
            "a.py",
            "def roman(n):\n    if n == 4:\n        return 'IV'\n    return compute(n)\n",
            "def roman(n):\n    'doc'\n    return 'IV'\n",
            "def roman(n):\n    if n % 4 == 0:\n        return 'IV'\n    return 'IX'\n",
        ),
        (
            "a.test.ts",
            "it('a', () => { expect(roman(4)).toBe('IV'); });",
            "a.ts",
            "function roman(n: number) { if (n === 4) { return 'IV'; } return compute(n); }",
            "const roman = (n: number) => 'IV';",
            "function roman() { return 'IV'; }",
        ),
        (
            "a_test.rs",
            "#[test]\nfn a() { assert_eq!(roman(4), \"IV\"); }",
            "a.rs",
            "fn roman(n: u8) -> &str { match n { 4 => \"IV\", _ => compute(n) } }",
            "fn roman(n: u8) -> &str { \"IV\" }",
            "fn roman(n: u8) -> &str { match n { 5 => \"IV\", _ => compute(n) } }",
        ),
        (
            "a_test.go",
            "package a\nfunc TestA(t *testing.T) { if Roman(4) != \"IV\" { t.Fatal() } }",
            "a.go",
            "package a\nfunc Roman(n int) string {\n\tif n == 4 {\n\t\treturn \"IV\"\n\t}\n\treturn compute(n)\n}",
            "package a\nfunc Roman(n int) string {\n\treturn \"IV\"\n}",
            "package a\nfunc Roman() string {\n\treturn \"IV\"\n}",
        ),
        (
            "ATest.java",
            "class A { @Test void a() { assertEquals(\"IV\", roman(4)); } }",
            "A.java",
            "class A { String roman(int n) { if (n == 4) { return \"IV\"; } return compute(n); } }",
            "class A { String roman(int n) { return \"IV\"; } }",
            "class A { String roman() { return \"IV\"; } }",
        ),
        (
            "a_spec.rb",
            "it 'a' do\n  expect(roman(4)).to eq('IV')\nend",
            "a.rb",
            "def roman(n)\n  return 'IV' if n == 4\n  compute(n)\nend",
            "def roman(n)\n  'IV'\nend",
            "def roman\n  'IV'\nend",
        ),
        (
            "ATest.php",
            "<?php class A { function testA() { $this->assertSame('IV', roman(4)); } }",
            "a.php",
            "<?php function roman($n) { if ($n === 4) { return 'IV'; } return compute($n); }",
            "<?php function roman($n) { return 'IV'; }",
            "<?php function roman() { return 'IV'; }",
        ),
    ];
    for (test_path, test, path, special, constant, fine) in cases {
        let expected = values_in_tests(test_path, test.as_bytes());
        assert!(
            expected.contains("IV") && expected.contains("4"),
            "{test_path}"
        );
        let found = |content: &str| {
            let examined = examine(path, content.as_bytes(), Role::Source, &expected);
            let rules = examined.expect("a known language").findings;
            rules
                .iter()
                .map(|found| found.rule.name())
                .collect::<Vec<_>>()
        };
        assert_eq!(found(special), ["copied_value"], "{path}: special");
        assert_eq!(found(constant), ["copied_value"], "{path}: constant");
        assert_eq!(found(fine), [] as [&str; 0], "{path}: fine");
    }
}

#[test]
fn what_can_not_be_read_is_said() {
    let trouble = |path: &str, content: &[u8]| {
        examine(path, content, Role::Test, &Values::new())
            .expect("a known language")
            .trouble
    };
    let at = |line| Some(Trouble::DoesNotParse { line });
    assert_eq!(trouble("test_a.py", b"def test_a(:\n  assert\n"), at(1));
    assert_eq!(
        trouble("a.test.ts", b"let x = 1;\nlet y = ;\nlet z = 2;\n"),
        at(2)
    );
    assert_eq!(trouble("test_a.py", b"<?php echo 1; ?>\n"), at(1));
    assert_eq!(trouble("test_a.py", b"\xff\xfe"), Some(Trouble::NotText));
    let huge = vec![b'\n'; LARGEST + 1];
    assert_eq!(trouble("test_a.py", &huge), Some(Trouble::TooLarge));
    assert_eq!(trouble("test_a.py", b""), None);
    assert!(examine("a.kt", b"", Role::Test, &Values::new()).is_none());
}

#[test]
fn a_test_that_does_not_parse_is_not_judged() {
    let file = b"def test_a():\n    add(1, 2\n\ndef test_b():\n    assert True\n";
    let examined = examine("test_a.py", file, Role::Test, &Values::new()).expect("python");
    assert!(examined.trouble.is_some());
    assert!(
        examined
            .findings
            .iter()
            .all(|finding| finding.rule != Rule::NoAssertion),
        "{examined:?}"
    );
}

#[test]
fn deep_nesting_is_no_danger() {
    for (path, open, close) in [
        ("test_a.py", "(", ")"),
        ("a.test.ts", "[", "]"),
        ("a.rs", "{", "}"),
        ("a_test.go", "(", ")"),
        ("ATest.java", "(", ")"),
        ("a_spec.rb", "[", "]"),
        ("ATest.php", "<?php [", "]"),
    ] {
        let deep = format!("{}{}", open.repeat(2_000), close.repeat(2_000));
        assert!(
            examine(path, deep.as_bytes(), Role::Mixed, &Values::new()).is_some(),
            "{path}"
        );
    }
}

proptest::proptest! {
    #[test]
    fn no_content_makes_it_panic(
        content in "(def test_a\\(\\):\n|    |assert |True|it\\('a', |\\(\\) => \\{|\\}|expect\\(x\\)|\\.toBe\\(|\\)|#\\[test\\]|fn a\\(\\)|\\{|// tcr:allow |é|\"|<\\?php|\n| do\n|end|== x|assert_eq!\\(|,){0,30}",
        path in "a_test\\.(py|ts|tsx|rs|go|java|rb|php)",
    ) {
        for role in [Role::Test, Role::Source, Role::Mixed] {
            proptest::prop_assert!(examine(&path, content.as_bytes(), role, &Values::new()).is_some());
        }
    }
}
