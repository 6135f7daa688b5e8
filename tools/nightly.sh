# shellcheck shell=bash
# nightly <component>…: has Rust's nightly toolchain be there, with these components. Source it.

nightly() {
    local component installed
    command -v rustup >/dev/null ||
        fail "rustup is missing, which installs the nightly Rust that this needs: see rustup.rs"
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
