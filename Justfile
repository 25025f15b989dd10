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

# Real test runners, installed into target/runner-tools.
test-runners:
    tests/runners/setup.sh target/runner-tools
    PATH="$PWD/target/runner-tools/bin:$PATH" cargo test --test it runners::

# The report in a real browser, set up in target/browser-tools.
test-browser:
    tests/browser/setup.sh target/browser-tools
    NODE_PATH="$PWD/target/browser-tools/node_modules" cargo test --test it report::

# Real coding agents with a scripted model, installed into target/agent-clients.
test-agents:
    tests/agents/setup.sh target/agent-clients
    PATH="$PWD/target/agent-clients/bin:$PATH" cargo test --test it agents::

# Real hook managers in every order with ours, installed into target/hook-managers.
test-hook-managers:
    tests/hook_managers/setup.sh target/hook-managers
    PATH="$PWD/target/hook-managers/bin:$PATH" cargo test --test it hook_managers::

# The MCP server with the inspector, installed into target/mcp-inspector.
test-mcp:
    npm install --no-audit --no-fund --prefix target/mcp-inspector @modelcontextprotocol/inspector
    PATH="$PWD/target/mcp-inspector/node_modules/.bin:$PATH" cargo test --test it mcp::

# The Debian package and the archive, made and installed below a folder of their own.
test-packages:
    cargo test --test it packaging::

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
