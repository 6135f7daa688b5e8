//! Objects with fields of their own: records of all kinds, and members of enums.
//!
//! What the objects of a class carry is found out when the first of them turns up while rows are read,
//! and forgotten with them: a class may have changed when the next rows come. The libraries whose
//! records are known are never imported; their classes say what they are. No code in Python runs
//! while objects are read, since it could change the rows: a class of which some would have to run
//! is an error that says so.

mod attributes;
mod describe;
mod exactly;
mod lookup;
mod members;
mod rows;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema::{Enum, Names};

use super::offsets::{LENGTH, TUPLE_ITEMS};
use super::{Access, Object, is_exactly, load, logical};
use attributes::ClassAttributes;
pub use describe::text_of;
pub use exactly::Exactly;
use members::Members;
pub use rows::{NAME as ROW_NAME, is_named};

/// So many fields of a record are named where it is said what it is.
const SHOWN_FIELDS: usize = 16;

/// A class, and how its objects are read.
pub struct ObjectClass {
    class: Py<PyAny>,
    shape: Shape,
}

/// What the objects of a class are.
enum Shape {
    /// Tuples with names for their items; `extra` if objects may have attributes beside them.
    Tuple { names: Arc<Names>, extra: bool },
    /// Objects with attributes.
    Attributes(ClassAttributes),
    /// Rows of PySpark's: tuples each of which has its own names.
    Rows,
    /// Members of an enum.
    Members(Members),
    /// Objects of no type that can be encoded. There may be something to be said about that.
    Other(Option<String>),
}

/// What an object was found to be.
pub enum ObjectKind {
    /// A record with these names.
    Record(Rc<ObjectClass>, Arc<Names>),
    /// A member of this enum.
    Member(Rc<ObjectClass>, Arc<Enum>),
    /// Neither.
    Other,
}

/// The classes of objects in rows, as far as they were met.
#[derive(Default)]
pub struct Classes {
    known: RefCell<HashMap<usize, Rc<ObjectClass>>>,
    exactly: Option<Exactly>,
}

impl Classes {
    /// Of rows that have to come back as they are; `row` is the class of PySpark's rows.
    pub fn exactly(py: Python<'_>, row: &Py<PyType>) -> Classes {
        let class = ObjectClass { class: row.clone_ref(py).into_any(), shape: Shape::Rows };
        Classes {
            known: RefCell::new(HashMap::from([(row.as_ptr() as usize, Rc::new(class))])),
            exactly: Some(Exactly::new(row.clone_ref(py))),
        }
    }

    /// What holds for rows that have to come back as they are, down to the order of a dict's keys, if these do.
    #[inline(always)]
    pub fn exact(&self) -> Option<&Exactly> {
        self.exactly.as_ref()
    }

    /// What `object` is.
    ///
    /// # Safety
    /// `object` must be alive, and the GIL be held.
    pub unsafe fn of(&self, object: Object) -> ObjectKind {
        // SAFETY: as above.
        if self.exactly.as_ref().is_some_and(|exactly| unsafe { !exactly.is_row(object) }) {
            return ObjectKind::Other;
        }
        // SAFETY: as above.
        let class = unsafe { self.class(object) };
        match &class.shape {
            Shape::Tuple { names, .. } => ObjectKind::Record(class.clone(), names.clone()),
            Shape::Attributes(of) => ObjectKind::Record(class.clone(), of.names()),
            Shape::Members(of) => ObjectKind::Member(class.clone(), of.of()),
            // SAFETY: as above; the object is a tuple.
            Shape::Rows => match unsafe { rows::names(object) } {
                Some(names) => ObjectKind::Record(class, Arc::new(names)),
                None => ObjectKind::Other,
            },
            Shape::Other(_) => ObjectKind::Other,
        }
    }

    unsafe fn class(&self, object: Object) -> Rc<ObjectClass> {
        // SAFETY: the object is alive, and so is its class.
        let class: Bound<'_, PyType> = unsafe {
            let class = ffi::Py_TYPE(object).cast();
            Bound::from_borrowed_ptr(Python::assume_attached(), class).cast_into_unchecked()
        };
        let key = class.as_ptr() as usize;
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let _quiet = logical::Quiet::new();
        let shape = describe::describe(&class);
        let class = Rc::new(ObjectClass { class: class.into_any().unbind(), shape });
        self.known.borrow_mut().insert(key, class.clone());
        class
    }

    /// The fields of a record, borrowed, if it has them all and nothing beside them.
    ///
    /// # Safety
    /// As for [`Classes::of`].
    pub unsafe fn fields<A: Access>(
        &self,
        access: A,
        object: Object,
        len: usize,
    ) -> Option<Vec<Object>> {
        let mut items = vec![std::ptr::null_mut(); len];
        // SAFETY: as above.
        unsafe {
            let class = self.class(object);
            class.read(access, object, &mut items, &mut Vec::new()).ok().map(|()| items)
        }
    }

    /// Why `object` can't be encoded, if there is something to be said.
    ///
    /// # Safety
    /// As for [`Classes::of`].
    pub unsafe fn why_not(&self, object: Object) -> Option<String> {
        // SAFETY: as above.
        let class = unsafe { self.class(object) };
        match &class.shape {
            Shape::Other(why) => why.clone(),
            // SAFETY: as above; the object is of the class.
            Shape::Members(of) => unsafe { of.member(object) }.is_none().then(|| {
                "only what has a name among the enum's members is taken, and no combination; send its \
                 value"
                    .into()
            }),
            // SAFETY: as above.
            Shape::Attributes(of) => unsafe { of.why_not(object) },
            // SAFETY: as above.
            Shape::Rows => unsafe { rows::names(object) }.is_none().then(|| {
                "only a Row is taken whose fields have names that differ; give them, or a tuple".into()
            }),
            // SAFETY: as above; the object is a tuple.
            Shape::Tuple { names, .. } => unsafe { rows::why_not(object, names.fields.len()) },
        }
    }

    /// What `object` is, if it is a record or a member, which another may have been expected than it.
    ///
    /// # Safety
    /// As for [`Classes::of`].
    pub unsafe fn what(&self, object: Object) -> Option<String> {
        // SAFETY: as above.
        match unsafe { self.of(object) } {
            ObjectKind::Record(_, names) => {
                let name = names.name.as_deref().unwrap_or_default();
                let some = names.fields.iter().take(SHOWN_FIELDS).map(|field| &**field);
                let more = names.fields.get(SHOWN_FIELDS).map(|_| "…");
                let fields: Vec<_> = some.chain(more).collect();
                Some(format!("it is a record {name} with the fields {}", fields.join(", ")))
            }
            ObjectKind::Member(_, of) => Some(format!("it is a member of enum {}", of.name)),
            ObjectKind::Other => None,
        }
    }
}

impl ObjectClass {
    /// Whether `object` is exactly of the class.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    pub unsafe fn is_of(&self, object: Object) -> bool {
        // SAFETY: as above.
        unsafe { is_exactly(object, self.class.as_ptr().cast()) }
    }

    /// Whether `object` is, and all objects of the class have the same fields.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    pub unsafe fn is_of_one_shape(&self, object: Object) -> bool {
        // SAFETY: as above.
        unsafe { self.is_of(object) && !matches!(self.shape, Shape::Rows) }
    }

    /// The fields of `object` where they lie in memory, if they can be loaded from there.
    ///
    /// # Safety
    /// `object` must be alive and of the class.
    #[inline(always)]
    pub unsafe fn items<A: Access>(
        &self,
        _access: A,
        object: Object,
        len: usize,
    ) -> Option<*mut Object> {
        // SAFETY: the object is a tuple, or of a subclass of it, whose items stand at the same place.
        unsafe {
            let is_plain = matches!(self.shape, Shape::Tuple { extra: false, .. });
            let has = A::IS_DIRECT && is_plain && load::<usize>(object, LENGTH) == len;
            has.then(|| object.cast::<u8>().add(TUPLE_ITEMS).cast())
        }
    }

    /// Put the fields of `object` into `items`, borrowed.
    ///
    /// # Safety
    /// `object` must be alive and of the class, and the GIL be held.
    pub unsafe fn read<A: Access>(
        &self,
        access: A,
        object: Object,
        items: &mut [Object],
        scratch: &mut Vec<u8>,
    ) -> OpResult {
        // SAFETY: as above.
        unsafe {
            match &self.shape {
                Shape::Tuple { extra, .. } => {
                    if *extra && rows::extra_attribute(object, &[]).is_some() {
                        return Err(Fault::TypeMismatch);
                    }
                    rows::items(object, items)
                }
                Shape::Rows => {
                    if rows::extra_attribute(object, &[rows::FIELDS]).is_some() {
                        return Err(Fault::TypeMismatch);
                    }
                    rows::items(object, items)
                }
                Shape::Attributes(of) => of.read(access, object, items, scratch),
                _ => Err(Fault::TypeMismatch),
            }
        }
    }

    /// The index of `object` among the members of the class.
    ///
    /// # Safety
    /// `object` must be alive and of the class.
    #[inline(always)]
    pub unsafe fn member(&self, object: Object) -> Option<u32> {
        match &self.shape {
            // SAFETY: as above.
            Shape::Members(of) => unsafe { of.member(object) },
            _ => None,
        }
    }
}
