//! The names that `serow.Name` gives to classes, fields and members in schemas.
//!
//! An annotation may be text, which only Python code can resolve, and no code may run while rows are
//! read. So a class that may have such names can't be read the first time. Encoding stops at it,
//! `serow._naming` finds its names and puts them into an attribute of the class, and encoding starts
//! again. As long as a program has no names, and no annotation that is text with a call in it, none
//! of this happens.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use super::describe::{slot_of, text_of};
use super::lookup::Mro;
use crate::made::{self, Calls, name};

/// The attribute with the annotations of a class.
const ANNOTATIONS: &str = "__annotations__";

/// Whether the program has made a `serow.Name`.
static ANY_NAMES: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Classes at which encoding stopped, because their names are unknown.
    static WAITING: RefCell<Vec<Py<PyType>>> = const { RefCell::new(Vec::new()) };
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
            WAITING.with_borrow_mut(|waiting| waiting.push(mro.class().clone().unbind()));
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

/// Finds the names of the classes at which encoding stopped. Returns whether there were any. This runs
/// Python code, so encoding must have stopped.
pub fn resolve(py: Python<'_>) -> bool {
    let waiting = WAITING.take();
    if waiting.is_empty() {
        return false;
    }
    let resolve = || py.import(name!("serow._naming"))?.getattr(name!("resolve"));
    let resolve = match resolve() {
        Ok(resolve) => resolve,
        Err(error) => {
            error.write_unraisable(py, None);
            return false;
        }
    };
    let resolved = |class: Py<PyType>| resolve.call_with((&class,))?.extract::<bool>();
    let mut any = false;
    for class in waiting {
        any |= resolved(class).unwrap_or(false);
    }
    any
}
