//! Native methods that compile plans, and tell what became of that.

use jni::jni_str;
use jni::objects::JClass;
use jni::sys::{jint, jlong, jobject};
use serow_codegen::{Compiler, Conversion, From, Tier, To, background};
use serow_core::compiled::Form;
use serow_core::wire::message::Layout;
use serow_core::{Error, Result};

use crate::env::Env;
use crate::guard::guard;
use crate::schema;

/// What is compiled on the JVM's side: flat rows to either wire, and of decoding what runs a plan
/// natively: records that become columns.
fn layouts(source: Form, sink: Form) -> Option<Conversion<'static>> {
    match (source, sink) {
        (Form::Flat, Form::Row) => Some(encoding(Layout::Row)),
        (Form::Flat, Form::Batch) => Some(encoding(Layout::Frame)),
        (Form::Row, Form::Batch) => Some(RECORDS),
        _ => None,
    }
}

/// What makes columns of records.
const RECORDS: Conversion<'_> = Conversion { from: From::RowWire, to: To::Batch };

/// What encodes rows in `layout`.
fn encoding(layout: Layout) -> Conversion<'static> {
    let to = match layout {
        Layout::Row => To::RowWire,
        Layout::Frame => To::Batch,
    };
    Conversion { from: From::Flat, to }
}

/// A layout by its number in Java's `Layout`.
pub fn layout(ordinal: jint) -> Layout {
    match ordinal {
        0 => Layout::Frame,
        _ => Layout::Row,
    }
}

/// Throw what is wrong with compiling as Java's most general exception.
fn unless_failed<T, E: std::fmt::Display>(
    env: &Env<'_>,
    result: std::result::Result<T, E>,
) -> Result<T> {
    result.map_err(|error| {
        env.throw(jni_str!("io/github/serow/SerowException"), &error.to_string());
        Error::host()
    })
}

/// `void compilerStart()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_compilerStart<'l>(env: Env<'l>, _class: JClass<'l>) {
    guard(&env, || {
        let tier = unless_failed(&env, Tier::of_process())?;
        // SAFETY: flat rows are the same in every process; no objects are described.
        unsafe { serow_codegen::start(tier, layouts) };
        Ok(())
    })
}

/// `void compilerStop()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_compilerStop<'l>(env: Env<'l>, _class: JClass<'l>) {
    guard(&env, || {
        background::stop();
        Ok(())
    })
}

/// `void planCompile(long plan, int layout)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_planCompile<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    plan: jlong,
    layout: jint,
) {
    guard(&env, || {
        if unless_failed(&env, Tier::of_process())? == Tier::Interpreter {
            return Ok(());
        }
        // SAFETY: Java's `Binding` keeps the plan.
        let plan = unsafe { schema::plan(plan) };
        let layout = self::layout(layout);
        let conversions: &[_] = match layout {
            Layout::Row => &[encoding(layout), RECORDS],
            Layout::Frame => &[encoding(layout)],
        };
        for conversion in conversions {
            // SAFETY: flat rows and records are the same in every process.
            unless_failed(&env, unsafe { serow_codegen::compile(&plan, conversion) })?;
        }
        Ok(())
    })
}

/// `boolean planIsCompiled(long plan, int layout)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_planIsCompiled<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    plan: jlong,
    layout: jint,
) -> bool {
    guard(&env, || {
        // SAFETY: Java's `Binding` keeps the plan.
        let plan = unsafe { schema::plan(plan) };
        let (from, to) = encoding(self::layout(layout)).forms();
        Ok(plan.code(from, to).is_some())
    })
}

/// `String planIr(long plan, int layout)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_planIr<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    plan: jlong,
    layout: jint,
) -> jobject {
    guard(&env, || {
        // SAFETY: Java's `Binding` keeps the plan.
        let plan = unsafe { schema::plan(plan) };
        let conversion = encoding(self::layout(layout));
        let ir = Compiler::new().and_then(|compiler| compiler.ir(&plan, &conversion));
        env.new_string(&unless_failed(&env, ir)?)
    })
}
