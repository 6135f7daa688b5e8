# shellcheck shell=bash
# nightly <component>…: installs Rust's nightly toolchain and these components. Source this file.

nightly() {
    local component installed
    command -v rustup >/dev/null ||
        fail "rustup is missing: install it from rustup.rs, so that it can install nightly Rust"
    if ! rustup toolchain list | grep -q '^nightly'; then
        say "installing Rust's nightly toolchain"
        rustup toolchain install nightly --profile minimal --no-self-update ||
            fail "rustup could not install the nightly toolchain"
    fi
    installed=$(rustup +nightly component list --toolchain nightly --installed)
    for component in "$@"; do
        grep -q "^$component" <<<"$installed" && continue
        say "installing $component for Rust's nightly toolchain"
        rustup component add --toolchain nightly "$component" ||
            fail "rustup could not install $component: this nightly may lack it; run \`rustup update nightly\`"
    done
}
