#!/usr/bin/env bash
# release.sh: a dry run of a release. It builds all that would be uploaded, below build/release, and
# checks it as the repositories of packages do. It uploads nothing. Run setup.sh before.
source "$(dirname "$0")/lib.sh"

out=$PWD/build/release
java=$(tools/find-jdks.sh --default)
export PYO3_PYTHON=$PWD/.venv/bin/python
rm -rf "$out"
mkdir -p "$out"

say "the licences of what is linked in"
.venv/bin/python tools/notices.py --check

say "Rust: packing each crate, and building it from its package"
cargo publish --quiet --workspace --dry-run --allow-dirty

say "Java: the jars with natives, sources and documentation"
cargo build --quiet --release -p serow-jvm
tools/maven.sh "$java" release package -Prelease -Dmaven.test.skip \
    -pl serow,serow-arrow,serow-spark
.venv/bin/python tools/check_release.py "$java" java/serow java/serow-arrow java/serow-spark
cp java/serow/target/serow-[0-9]*.jar java/serow-arrow/target/serow-arrow*.jar \
    java/serow-spark/target/serow-spark*.jar "$out"

say "Python: the source package, and a wheel built from it"
install -D -m 644 java/serow-spark/target/serow-spark.jar python/serow/spark/jars/serow-spark.jar
.venv/bin/maturin sdist --out "$out"
# In a checkout Python takes the jar that Maven has built last.
rm -r python/serow/spark/jars
# The source package is unpacked elsewhere, so that it can't use files of this checkout.
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
tar -xf "$out"/serow-*.tar.gz -C "$unpacked"
(cd "$unpacked"/serow-* &&
    CARGO_TARGET_DIR=$out/target "$OLDPWD/.venv/bin/maturin" build --quiet --release --out "$out")
rm -rf "$out/target"
.venv/bin/python -m venv "$out/venv"
"$out/venv/bin/pip" install -q --disable-pip-version-check -r python/requirements-release.txt "$out"/serow-*.whl
"$out/venv/bin/twine" check --strict "$out"/serow-*.whl "$out"/serow-*.tar.gz

say "Python: the types, for users with mypy --strict and pyright"
for checker in "mypy --strict --python-executable $out/venv/bin/python" \
    "pyright --pythonpath $out/venv/bin/python"; do
    (cd "$unpacked" && cp "$OLDPWD/tools/typed_use.py" . && "$out/venv/bin/"$checker typed_use.py)
done
(cd "$unpacked" && "$out/venv/bin/python" typed_use.py)

say "the dry run of the release passed"
ls -l "$out"
