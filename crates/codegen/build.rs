//! Links LLVM, and the libraries that LLVM needs, from static archives.
//!
//! llvm-sys could do this, but it links every library that LLVM was built with. Debian does not
//! package some of them (Polly), and others (z3, libxml2, a shared libstdc++) would have to exist
//! wherever the wheel or the jar is installed, though serow does not use them. So llvm-sys is
//! configured to link nothing, and this script names the components in use. The archives are not
//! bundled into an rlib: they are large, and only the final link needs them.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The environment variable of llvm-sys for the prefix of LLVM. Without it, `CONFIG` must be on the
/// search path, as Debian's packages put it.
const PREFIX: &str = "LLVM_SYS_221_PREFIX";

/// The names of llvm-config that llvm-sys tries too, in its order.
const CONFIG: [&str; 2] = ["llvm-config-22", "llvm-config"];

/// The components that the crate calls: the IR and its verifier, passes, x86 code generation, and
/// ORC.
const COMPONENTS: &[&str] = &["core", "analysis", "passes", "x86codegen", "orcjit"];

/// The libraries that those components need: `llvm-config --system-libs`, without z3 and libxml2
/// (only the static analyzer and Windows manifests use them), plus the C++ runtime.
const STATIC: &[&str] = &["z", "zstd", "stdc++"];

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={PREFIX}");
    match fingerprint() {
        Ok(fingerprint) => println!("cargo::rustc-env=SEROW_BUILD={fingerprint:016x}"),
        Err(error) => {
            println!("cargo::error=cannot read the sources: {error}");
            return ExitCode::FAILURE;
        }
    }
    match link() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!(
                "cargo::error=cannot link LLVM 22 ({why}); install the Debian packages llvm-22-dev, \
                 libzstd-dev, zlib1g-dev and g++, or set {PREFIX}"
            );
            ExitCode::FAILURE
        }
    }
}

/// Returns a fingerprint of everything that determines the emitted code and the data it works on:
/// the sources of this crate and of core, and the compiler, which lays out their structs. The
/// cache uses it to reject objects that another build compiled.
fn fingerprint() -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    env::var_os("TARGET").hash(&mut hasher);
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Command::new(rustc).arg("-vV").output()?.stdout.hash(&mut hasher);
    for folder in ["src", "../core/src", "../spark/src"] {
        let folder = Path::new(folder);
        // In a published crate, core is elsewhere, in a version that the manifest pins.
        if folder.exists() {
            println!("cargo::rerun-if-changed={}", folder.display());
            hash_files(folder, &mut hasher)?;
        }
    }
    Ok(hasher.finish())
}

fn hash_files(folder: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    let entries: io::Result<Vec<_>> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let mut entries = entries?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            hash_files(&path, hasher)?;
        } else {
            path.hash(hasher);
            fs::read(&path)?.hash(hasher);
        }
    }
    Ok(())
}

fn link() -> Result<(), String> {
    let config = llvm_config()?;
    let libdir = output(Command::new(&config).arg("--libdir"))?;
    println!("cargo::rustc-link-search=native={libdir}");
    let names =
        output(Command::new(&config).args(["--link-static", "--libnames"]).args(COMPONENTS))?;
    for name in names.split_whitespace() {
        let name = name
            .strip_prefix("lib")
            .and_then(|name| name.strip_suffix(".a"))
            .ok_or_else(|| format!("{name} is not a static library"))?;
        println!("cargo::rustc-link-lib=static:-bundle={name}");
    }
    for name in STATIC {
        println!("cargo::rustc-link-search=native={}", archive_folder(name)?.display());
        println!("cargo::rustc-link-lib=static:-bundle={name}");
    }
    Ok(())
}

/// Returns the llvm-config of LLVM 22: in LLVM's prefix, or else on the search path.
fn llvm_config() -> Result<PathBuf, String> {
    let folder = env::var_os(PREFIX).map(|prefix| Path::new(&prefix).join("bin"));
    let mut why = Vec::new();
    for name in CONFIG {
        let config = folder.as_deref().unwrap_or(Path::new("")).join(name);
        match output(Command::new(&config).arg("--version")) {
            Ok(version) if version.starts_with("22.") => return Ok(config),
            Ok(version) => why.push(format!("{}: LLVM {version}", config.display())),
            Err(error) => why.push(error),
        }
    }
    Err(why.join("; "))
}

/// Returns the folder of a static library of the C++ compiler.
fn archive_folder(name: &str) -> Result<PathBuf, String> {
    let compiler = env::var_os("CXX").unwrap_or_else(|| "g++".into());
    let archive = format!("lib{name}.a");
    let found = output(Command::new(compiler).arg(format!("-print-file-name={archive}")))?;
    match Path::new(&found).parent() {
        // If the compiler does not find the file, it prints the bare name.
        Some(folder) if folder.is_absolute() => Ok(folder.to_path_buf()),
        _ => Err(format!("{archive} is missing")),
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
