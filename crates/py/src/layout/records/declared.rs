//! What only Python code can say of a class: the names that `serow.Name` gives to classes, fields and
//! members in schemas, and the attributes that the class computes of the fields.
//!
//! An annotation may be text, which has to be resolved, and what a class stores on an object is in the code
//! of its constructors. No code may run while rows are read. So a class that may have such names can't be
//! read the first time, nor can an object with an attribute that is no field. Encoding stops, `serow._naming`
//! or `serow._constructors` finds what is unknown and puts it into an attribute of the class, and encoding
//! starts again. None of this happens for objects that have just their fields, as long as a program has no
//! names, and no annotation that is text with a call in it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use super::describe::{slot_of, text_of};
use super::lookup::{self, Mro};
use crate::made::{self, Calls, Name, name};

/// The attribute with the annotations of a class.
const ANNOTATIONS: &str = "__annotations__";

/// Whether the program has made a `serow.Name`.
static ANY_NAMES: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Classes at which encoding stopped, and the modules that find what is unknown of them.
    static WAITING: RefCell<Vec<(&'static Name, Py<PyType>)>> = const { RefCell::new(Vec::new()) };
}

/// The names of a class and of its fields or members in schemas, where they differ from Python's.
#[derive(Default)]
pub struct DeclaredNames {
    name: Option<Arc<str>>,
    parts: HashMap<Arc<str>, Arc<str>>,
}

impl DeclaredNames {
    /// The names of a class. `texts` are annotations of its fields that may be text.
    ///
    /// # Errors
    /// The reason why the class can't be read. If Python code must find the names first, the class waits
    /// for that, and is read once it has them.
    pub fn of<'py>(
        mro: &Mro<'py>,
        texts: impl IntoIterator<Item = Bound<'py, PyAny>>,
    ) -> Result<DeclaredNames, String> {
        let may_have = || texts.into_iter().any(|annotation| has_call(&annotation));
        if !ANY_NAMES.load(Ordering::Relaxed) && !may_have() {
            return Ok(DeclaredNames::default());
        }
        let Some(names) = mro.own(name!("__serow_names__")) else {
            wait(mro, name!("serow._naming"));
            return Err(
                "serow doesn't know the names in its schema yet; call serow.Schema.of".into()
            );
        };
        if let Ok(why) = names.cast_exact::<PyString>() {
            return Err(made::lossy(why).unwrap_or_default());
        }
        let wrong = || String::from("its __serow_names__ is not what serow has put there");
        let names = names.cast_exact::<PyTuple>().map_err(|_| wrong())?;
        let (Ok(name), Ok(parts)) = (names.get_item(0), names.get_item(1)) else {
            return Err(wrong());
        };
        // SAFETY: the objects are alive, and the GIL is held.
        let text = |object: &Bound<'_, PyAny>| unsafe { text_of(object.as_ptr()) };
        let parts = parts.cast_exact::<PyDict>().map_err(|_| wrong())?;
        let parts = parts.iter().map(|(part, name)| Some((text(&part)?, text(&name)?)));
        let parts = parts.collect::<Option<_>>().ok_or_else(wrong)?;
        Ok(DeclaredNames { name: text(&name), parts })
    }

    /// The name of the class, whose own name is `name`.
    pub fn class(&self, name: String) -> Arc<str> {
        self.name.clone().unwrap_or_else(|| name.into())
    }

    /// The name of a field or a member.
    pub fn part(&self, part: &Arc<str>) -> Arc<str> {
        self.parts.get(part).unwrap_or(part).clone()
    }
}

/// The attributes of instances that are no part of a record, because the class computes them; `None` if they
/// are unknown.
pub fn computed(mro: &Mro<'_>) -> Option<Vec<Arc<str>>> {
    let Some(names) = mro.own(name!("__serow_computed__")) else {
        wait(mro, name!("serow._constructors"));
        return None;
    };
    let names = names.cast_into_exact::<PyTuple>().ok()?;
    // SAFETY: the names are alive, and the GIL is held.
    Some(names.iter().filter_map(|name| unsafe { text_of(name.as_ptr()) }).collect())
}

/// Notes a class for [`resolve`], and the module that finds what is unknown of it.
fn wait(mro: &Mro<'_>, module: &'static Name) {
    let class = mro.class();
    WAITING.with_borrow_mut(|waiting| {
        if !waiting.iter().any(|(of, other)| std::ptr::eq(*of, module) && other.is(class)) {
            waiting.push((module, class.clone().unbind()));
        }
    });
}

/// Whether an annotation is text that calls something, as `Annotated[str, Name("x")]` does.
fn has_call(annotation: &Bound<'_, PyAny>) -> bool {
    let is_call = |text: &Bound<'_, PyAny>| {
        text.cast_exact::<PyString>()
            .is_ok_and(|text| made::lossy(text).is_ok_and(|text| text.contains('(')))
    };
    let forward = || slot_of(annotation, name!("__forward_arg__"));
    is_call(annotation) || forward().is_some_and(|text| is_call(&text))
}

/// The annotations of a named tuple, if they are there already.
pub fn annotations<'py>(mro: &Mro<'py>) -> Vec<Bound<'py, PyAny>> {
    mro.own(name!(ANNOTATIONS)).into_iter().flat_map(values).collect()
}

/// The annotations of a class and its bases, if they are there already.
pub fn annotations_of_all<'py>(mro: &Mro<'py>) -> Vec<Bound<'py, PyAny>> {
    mro.each(name!(ANNOTATIONS)).into_iter().flat_map(values).collect()
}

fn values(annotations: Bound<'_, PyAny>) -> Vec<Bound<'_, PyAny>> {
    let annotations = annotations.cast_into_exact::<PyDict>();
    annotations.map_or_else(
        |_| Vec::new(),
        |annotations| annotations.iter().map(|(_, annotation)| annotation).collect(),
    )
}

#[doc = stub_doc!("names_exist")]
#[pyfunction]
pub fn names_exist() {
    ANY_NAMES.store(true, Ordering::Relaxed);
}

/// Finds what is unknown of the classes at which encoding stopped. Returns whether there were any that
/// have it now. This runs Python code, so encoding must have stopped.
pub fn resolve(py: Python<'_>) -> bool {
    let mut any = false;
    for (module, class) in WAITING.take() {
        let resolve = || py.import(module)?.method_with(name!("resolve"), (&class,))?.extract();
        any |= lookup::found(py, resolve()).unwrap_or(false);
    }
    any
}
