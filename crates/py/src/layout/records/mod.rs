//! Objects with named fields: records of all kinds, and members of enums.
//!
//! The first instance of a class in the rows triggers the inspection of the class. The result is
//! dropped with the rows, because the class may change before the next rows. serow never imports
//! the libraries whose records it knows; their classes have marker attributes. No Python code runs
//! while objects are read, because it could change the rows. Classes that need Python code are an
//! error that says so.

mod attributes;
mod beside;
pub mod declared;
mod describe;
mod latest;
pub mod lookup;
mod members;
pub mod registered;
mod rows;
mod same_objects;
pub mod slots;
pub mod spark_row;
pub mod values;
pub mod version;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema::{Container, Enum, Names};

use super::offsets::LENGTH;
use super::{Access, Object, StructObjects, is_exactly, load, logical};
use attributes::ClassAttributes;
pub use beside::FIELDS_SET;
pub use describe::text_of;
pub use latest::LatestClasses;
use members::Members;
pub use rows::attributes;
pub use same_objects::SameObjects;

/// Maximum fields of a record to show in error messages.
const SHOWN_FIELDS: usize = 16;

/// A class and the shape of its instances.
pub struct ObjectClass {
    /// The address of the class.
    class: usize,
    /// A reference to the class, for the rows of one message. A class that is kept for other rows may
    /// end; then its version tells it apart from a later class at the same address.
    held: Option<Py<PyAny>>,
    /// The version of the class when it was inspected; 0 if it had none.
    version: u32,
    shape: Shape,
}

/// The shape of a class's instances.
enum Shape {
    /// Tuples with named items; `extra` if instances may have other attributes.
    Tuple { names: Arc<Names>, extra: bool },
    /// Objects with attributes.
    Attributes(ClassAttributes),
    /// PySpark's rows, tuples that have their names with them.
    Rows,
    /// Members of an enum.
    Members(Members),
    /// Objects that can't be encoded, perhaps with a reason.
    Other(Option<String>),
}

/// The kind of an object.
pub enum ObjectKind {
    /// A record with these names.
    Record(Rc<ObjectClass>, Arc<Names>),
    /// A member of this enum.
    Member(Rc<ObjectClass>, Arc<Enum>),
    /// Neither.
    Other,
}

/// Cache of the classes of objects in rows.
#[derive(Default)]
pub struct Classes {
    known: RefCell<HashMap<usize, Rc<ObjectClass>, BuildHasherDefault<DefaultHasher>>>,
    same_objects: Option<SameObjects>,
    objects: Option<Arc<dyn StructObjects>>,
    /// Whether the classes are kept for other rows. Then they may have changed.
    are_kept: bool,
    /// Whether they are [`LatestClasses`].
    are_latest: bool,
    /// Classes that were removed from `known`. [`Classes::settle`] drops them after the row, because
    /// dropping them may run Python code.
    retired: RefCell<Vec<Rc<ObjectClass>>>,
    /// Whether classes were added since [`Classes::drop_pinning`].
    has_new: Cell<bool>,
}

/// A dict in a class that declares its fields or members. Code can change it without a change of the
/// class's version.
#[derive(Clone, Copy)]
pub struct DeclaringDict {
    dict: Object,
    len: isize,
}

impl DeclaringDict {
    pub fn new(dict: &Bound<'_, PyDict>) -> DeclaringDict {
        DeclaringDict { dict: dict.as_ptr(), len: dict.len() as isize }
    }

    /// Whether the dict has as many entries as when its class was inspected.
    ///
    /// # Safety
    /// The class must be alive and still have the dict. The GIL must be held.
    #[inline(always)]
    unsafe fn is_as_long(self) -> bool {
        // SAFETY: the caller's promise.
        unsafe { ffi::PyDict_Size(self.dict) == self.len }
    }
}

/// Maximum classes to keep for other rows.
const KEPT: usize = 64;

impl Classes {
    /// For rows of several calls.
    pub fn kept() -> Classes {
        Classes { are_kept: true, ..Classes::default() }
    }

    /// For the rows of one call, and what is light of them for the next.
    fn latest() -> Classes {
        Classes { are_kept: true, are_latest: true, ..Classes::default() }
    }

    /// For rows whose records `objects` reads.
    pub fn of_objects(objects: Arc<dyn StructObjects>) -> Classes {
        Classes { objects: Some(objects), ..Classes::default() }
    }

    /// What reads the records, if serow's own rules do not apply.
    #[inline(always)]
    pub fn objects(&self) -> Option<&dyn StructObjects> {
        self.objects.as_deref()
    }

    /// Whether serow can use what it knows about `class`. False if the class has changed since serow
    /// inspected it.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline(always)]
    pub unsafe fn is_current(&self, class: &ObjectClass) -> bool {
        // SAFETY: the caller's promise.
        class.held.is_some() || unsafe { class.is_current() }
    }

    /// For rows that must decode to exactly the same objects. Their records are what `objects` reads,
    /// of the class `row`, a PySpark row.
    pub fn exactly(py: Python<'_>, row: &Py<PyType>, objects: Arc<dyn StructObjects>) -> Classes {
        let class = ObjectClass {
            class: row.as_ptr().addr(),
            held: Some(row.clone_ref(py).into_any()),
            version: 0,
            shape: Shape::Rows,
        };
        Classes {
            known: RefCell::new([(row.as_ptr() as usize, Rc::new(class))].into_iter().collect()),
            same_objects: Some(SameObjects::new(row.clone_ref(py))),
            objects: Some(objects),
            ..Classes::default()
        }
    }

    /// The rules for rows that must decode to exactly the same objects, including the order of a
    /// dict's keys; `None` for other rows.
    #[inline(always)]
    pub fn exact(&self) -> Option<&SameObjects> {
        self.same_objects.as_ref()
    }

    /// Whether values of other libraries may stand for plain ones that they equal.
    pub fn takes_others(&self) -> bool {
        self.same_objects.is_none() && self.objects.is_none()
    }

    /// The kind of `object`.
    ///
    /// # Safety
    /// `object` must be alive.
    pub unsafe fn of(&self, py: Python<'_>, object: Object) -> ObjectKind {
        // SAFETY: the caller's promise.
        if self.same_objects.as_ref().is_some_and(|exactly| unsafe { !exactly.is_row(object) }) {
            return ObjectKind::Other;
        }
        // SAFETY: the caller's promise.
        let class = unsafe { self.class(py, object) };
        match &class.shape {
            Shape::Tuple { names, .. } => ObjectKind::Record(class.clone(), names.clone()),
            Shape::Attributes(of) => ObjectKind::Record(class.clone(), of.names()),
            Shape::Members(of) => ObjectKind::Member(class.clone(), of.of()),
            // SAFETY: the caller's promise; the object is a tuple.
            Shape::Rows => match unsafe { spark_row::names(py, object) } {
                Some(names) => ObjectKind::Record(class, Arc::new(names)),
                None => ObjectKind::Other,
            },
            Shape::Other(_) => ObjectKind::Other,
        }
    }

    unsafe fn class(&self, py: Python<'_>, object: Object) -> Rc<ObjectClass> {
        // SAFETY: the object is alive, and so is its class.
        let class: Bound<'_, PyType> = unsafe {
            let class = ffi::Py_TYPE(object).cast();
            Bound::from_borrowed_ptr(py, class).cast_into_unchecked()
        };
        let key = class.as_ptr() as usize;
        if let Some(known) = self.known.borrow().get(&key)
            // SAFETY: the GIL is held.
            && unsafe { self.is_current(known) }
        {
            return known.clone();
        }
        let _quiet = logical::Quiet::new(py);
        let version = match self.are_kept {
            // SAFETY: the object is alive.
            true => unsafe { version::assign_version(py, object) },
            false => 0,
        };
        let shape = describe::describe(&class);
        let is_held = !self.are_kept || version == 0 && self.are_latest;
        let held = is_held.then(|| class.into_any().unbind());
        let class = Rc::new(ObjectClass { class: key, held, version, shape });
        let (mut known, mut retired) = (self.known.borrow_mut(), self.retired.borrow_mut());
        if self.are_kept && known.len() >= KEPT {
            retired.extend(known.drain().map(|(_, class)| class));
        }
        retired.extend(known.insert(key, class.clone()));
        self.has_new.set(true);
        class
    }

    /// Forgets the classes that keep objects of the program alive, and those without fields.
    fn drop_pinning(&self) {
        if self.has_new.replace(false) {
            let mut known = self.known.borrow_mut();
            let heavy = known.extract_if(|_, class| !class.is_light());
            self.retired.borrow_mut().extend(heavy.map(|(_, class)| class));
        }
        self.settle();
    }

    /// Forgets the classes of rows of one message, which other threads may have changed. Nobody uses one
    /// meanwhile.
    pub fn forget(&self) {
        if (!self.are_kept || self.are_latest) && self.same_objects.is_none() {
            let known = self.known.take();
            drop(known);
        }
    }

    /// Drops the classes that were removed from `known`. Dropping them may run Python code, so call
    /// this only after all values of the row were read.
    pub fn settle(&self) {
        let retired = self.retired.take();
        drop(retired);
    }

    /// The fields of a record as borrowed references; `None` if fields are unset or other
    /// attributes are set.
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
        // SAFETY: the caller's promise.
        unsafe {
            let class = self.class(access.py(), object);
            class.read(access, object, &mut items, &mut Vec::new()).ok().map(|()| items)
        }
    }

    /// Why `object` can't be encoded, if its class gives a reason.
    ///
    /// # Safety
    /// As for [`Classes::of`].
    pub unsafe fn why_not(&self, py: Python<'_>, object: Object) -> Option<String> {
        // SAFETY: the caller's promise.
        let class = unsafe { self.class(py, object) };
        match &class.shape {
            Shape::Other(why) => why.clone(),
            // SAFETY: the caller's promise; the object is of the class.
            Shape::Members(of) => unsafe { of.member(object) }.is_none().then(|| {
                "only members with a name are accepted; send its value".into()
            }),
            // SAFETY: the caller's promise.
            Shape::Attributes(of) => unsafe { of.why_not(py, object) },
            // SAFETY: the caller's promise.
            Shape::Rows => unsafe { spark_row::names(py, object) }.is_none().then(|| {
                "a Row must have a distinct name for each field; name the fields, or use a tuple".into()
            }),
            // SAFETY: the caller's promise; the object is a tuple.
            Shape::Tuple { names, .. } => unsafe { rows::why_not(py, object, names.fields.len()) },
        }
    }

    /// Describes `object` if it is a record or a member, for errors where another type was
    /// expected.
    ///
    /// # Safety
    /// As for [`Classes::of`].
    pub unsafe fn what(&self, py: Python<'_>, object: Object) -> Option<String> {
        // SAFETY: the caller's promise.
        match unsafe { self.of(py, object) } {
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
    /// Whether the class has not changed since serow inspected it.
    ///
    /// # Safety
    /// The GIL must be held, and the class at this address must be alive.
    #[inline(always)]
    unsafe fn is_current(&self) -> bool {
        let address = self.class as Object;
        // SAFETY: the caller's promise. A class of the same version has the same dicts.
        unsafe {
            self.version != 0
                && version::version(address) == self.version
                && match &self.shape {
                    Shape::Members(of) => of.map.is_as_long(),
                    Shape::Attributes(of) => of.declared.is_none_or(|dict| dict.is_as_long()),
                    _ => true,
                }
        }
    }

    /// Whether nothing of the program is kept alive by what serow knows about the class.
    fn is_light(&self) -> bool {
        self.held.is_none()
            && match &self.shape {
                Shape::Tuple { .. } => true,
                Shape::Attributes(of) => of.is_light(),
                _ => false,
            }
    }

    /// Whether `object` is exactly of the class.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    pub unsafe fn is_of(&self, object: Object) -> bool {
        // SAFETY: the caller's promise.
        unsafe { is_exactly(object, self.class as *mut _) }
    }

    /// Whether `object` is of the class, and all instances of the class have the same fields.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    pub unsafe fn is_of_one_shape(&self, object: Object) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.is_of(object) && !matches!(self.shape, Shape::Rows) }
    }

    /// Whether an instance whose record has the names `own` may be a record with these `names`.
    pub fn fits(&self, own: &Names, names: &Names) -> bool {
        match &self.shape {
            Shape::Attributes(of) => of.fit(names),
            _ => own == names,
        }
    }

    /// Where instances store their fields, if they store nothing else that serow reads.
    #[inline(always)]
    pub fn plain_attributes(&self) -> Option<&ClassAttributes> {
        match &self.shape {
            Shape::Attributes(of) if of.is_plain() => Some(of),
            _ => None,
        }
    }

    /// The fields of `object` in memory, if they can be loaded from there.
    ///
    /// # Safety
    /// `object` must be alive and of the class.
    #[inline(always)]
    pub unsafe fn items<A: Access>(
        &self,
        access: A,
        object: Object,
        len: usize,
    ) -> Option<*mut Object> {
        // SAFETY: the object is a tuple or an instance of a subclass, with its items at the same
        // offset.
        unsafe {
            let is_plain = matches!(self.shape, Shape::Tuple { extra: false, .. });
            let has = A::IS_DIRECT && is_plain && load::<usize>(object, LENGTH) == len;
            if !has {
                return None;
            }
            access.lie_at(access.items_of(object, Container::Tuple))
        }
    }

    /// Puts the fields of `object` into `items` as borrowed references.
    ///
    /// # Safety
    /// `object` must be alive and of the class.
    pub unsafe fn read<A: Access>(
        &self,
        access: A,
        object: Object,
        items: &mut [Object],
        scratch: &mut Vec<u8>,
    ) -> OpResult {
        // SAFETY: the caller's promise.
        unsafe {
            match &self.shape {
                Shape::Tuple { extra, .. } => {
                    if *extra && rows::extra_attribute(access.py(), object, &[]).is_some() {
                        return Err(Fault::TypeMismatch);
                    }
                    rows::items(object, items)
                }
                Shape::Rows => {
                    if rows::extra_attribute(access.py(), object, &[spark_row::FIELDS]).is_some() {
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
            // SAFETY: the caller's promise.
            Shape::Members(of) => unsafe { of.member(object) },
            _ => None,
        }
    }
}
