# What is done often. `just` alone lists it.

_default:
    @just --list

# The tests.
test *ARGS:
    cargo test {{ARGS}}

# What CI runs.
ci:
    .ci/run

# Formatting and lints.
lint:
    cargo fmt --all --check
    cargo clippy --all-targets -- -D warnings

# The speed of the loop and of `status`, as ratios to plain git in one run.
bench *ARGS:
    cargo bench --bench ratios -- {{ARGS}}

# Cheats put together by chance; `cargo test` tries a sample of them.
red-team COUNT="300" SEED="23":
    GIT_TCR_RED_TEAM={{COUNT}} GIT_TCR_RED_TEAM_SEED={{SEED}} cargo test --test it guard::red_team -- --nocapture

# Every test, those of real clients, runners, hook managers and a browser included, which are set up first.
test-all *ARGS:
    tests/setup.sh target/programs
    . target/programs/environment && cargo test {{ARGS}}

# Real coding agents with a scripted model.
test-agents: (test-all "agents::")

# The same with everything tried where a sample does otherwise; takes an hour.
test-thorough *ARGS:
    tests/setup.sh target/programs
    . target/programs/environment && GIT_TCR_TEST_THOROUGH=1 cargo test {{ARGS}}

# What a release consists of, in target/dist.
dist:
    cargo build --locked --release
    packaging/archive.sh target/release/git-tcr "$(rustc -vV | sed -n 's/host: //p')" target/dist
    packaging/debian.sh target/release/git-tcr target/dist

# The generated pages in docs/.
docs:
    UPDATE_DOCS=1 cargo test --test it docs::

# The picture of the demo in the README, from a real run.
picture:
    UPDATE_PICTURE=1 cargo test --test it docs::picture

# The whole story in a throw-away repository.
demo:
    cargo run --release -- demo

# The program, and its manual pages where `man` finds them.
install:
    cargo install --path . --locked
    git tcr man --install
