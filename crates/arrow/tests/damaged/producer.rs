//! A producer of C arrays that lies where it is told to, and counts how often each structure is released.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::rc::Rc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;

/// A field and its array, as they are given.
#[derive(Clone, Default)]
pub struct Node {
    pub format: Option<Vec<u8>>,
    pub name: Option<Vec<u8>>,
    pub metadata: Option<Vec<u8>>,
    pub flags: i64,
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub buffers: Vec<Option<Vec<u8>>>,
    pub children: Vec<Node>,
    pub dictionary: Option<Box<Node>>,
    pub lies: Lies,
}

/// What is not as the rest of the node says.
#[derive(Clone, Default)]
pub struct Lies {
    pub buffers: Option<i64>,
    pub children: Option<i64>,
    pub schema_children: Option<i64>,
    /// The address of the buffers, or of the children, is null.
    pub no_buffers: bool,
    pub no_children: bool,
    pub no_schema_children: bool,
    pub no_dictionary: bool,
    pub no_schema_dictionary: bool,
    /// What the parent has instead of this one's address.
    pub array_at: Option<usize>,
    pub schema_at: Option<usize>,
    pub is_released: bool,
    pub is_schema_released: bool,
}

/// What a callback of a stream does.
#[derive(Clone)]
pub enum Step {
    Gives(Box<Node>),
    Fails(c_int),
    /// It succeeds and gives a structure that is released.
    Ends,
}

impl Step {
    pub fn gives(node: Node) -> Step {
        Step::Gives(node.into())
    }
}

/// What a stream gives to its reader, step by step.
#[derive(Clone)]
pub struct Feed {
    pub schema: Step,
    pub arrays: Vec<Step>,
    pub error: Option<Vec<u8>>,
    pub lacks: &'static [&'static str],
    pub is_released: bool,
}

#[repr(C)]
pub struct CSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut CSchema,
    dictionary: *mut CSchema,
    release: Option<unsafe extern "C" fn(*mut CSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
pub struct CArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut CArray,
    dictionary: *mut CArray,
    release: Option<unsafe extern "C" fn(*mut CArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct CStream {
    get_schema: Option<unsafe extern "C" fn(*mut CStream, *mut CSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut CStream, *mut CArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut CStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut CStream)>,
    private_data: *mut c_void,
}

/// The structures that were given. It lives longer than they do, so that it sees a second release.
#[derive(Clone, Default)]
pub struct Ledger(Rc<RefCell<Vec<*mut Entry>>>);

/// A structure: how often it was released, and what it owns until then.
#[derive(Default)]
struct Entry {
    released: usize,
    owned: Option<Owned>,
}

#[derive(Default)]
struct Owned {
    bytes: Vec<Vec<u8>>,
    addresses: Vec<Vec<*const c_void>>,
    arrays: Vec<*mut CArray>,
    schemas: Vec<*mut CSchema>,
    feed: Option<(Feed, Ledger, Option<CString>)>,
}

impl Ledger {
    /// How often each structure was released, in the order in which they were given.
    pub fn releases(&self) -> Vec<usize> {
        // SAFETY: entries live as long as the ledger.
        self.0.borrow().iter().map(|&entry| unsafe { (*entry).released }).collect()
    }

    fn add(&self, owned: Owned) -> *mut c_void {
        let entry = Box::into_raw(Box::new(Entry { released: 0, owned: Some(owned) }));
        self.0.borrow_mut().push(entry);
        entry.cast()
    }

    /// Frees the entries. It is no `drop`, because streams own a ledger.
    pub fn close(self) {
        for entry in self.0.take() {
            // SAFETY: `add` has made it, and the list has no other.
            drop(unsafe { Box::from_raw(entry) });
        }
    }
}

macro_rules! release {
    ($name:ident, $ty:ty) => {
        unsafe extern "C" fn $name(of: *mut $ty) {
            // SAFETY: the structure is one of this producer, and its entry lives as long as the ledger.
            unsafe {
                let entry = (*of).private_data.cast::<Entry>();
                (*entry).released += 1;
                let owned = (*entry).owned.take().unwrap_or_default();
                for child in owned.arrays {
                    if let Some(release) = (*child).release {
                        release(child);
                    }
                    drop(Box::from_raw(child));
                }
                for child in owned.schemas {
                    if let Some(release) = (*child).release {
                        release(child);
                    }
                    drop(Box::from_raw(child));
                }
                (*of).release = None;
            }
        }
    };
}

release!(release_array, CArray);
release!(release_schema, CSchema);
release!(release_stream, CStream);

/// An address that is `number`, and not to be read.
fn nowhere<T>(number: usize) -> *mut T {
    ptr::without_provenance_mut(number)
}

impl Owned {
    fn text(&mut self, text: &Option<Vec<u8>>) -> *const c_char {
        let Some(text) = text else { return ptr::null() };
        let mut text = text.clone();
        text.push(0);
        self.bytes.push(text);
        self.bytes[self.bytes.len() - 1].as_ptr().cast()
    }

    fn addresses<T>(&mut self, addresses: Vec<*const c_void>, is_null: bool) -> *mut T {
        self.addresses.push(addresses);
        let last = self.addresses.len() - 1;
        if is_null { ptr::null_mut() } else { self.addresses[last].as_mut_ptr().cast() }
    }
}

impl Node {
    fn c_array(&self, ledger: &Ledger) -> CArray {
        let mut owned = Owned::default();
        let mut buffers = Vec::new();
        for buffer in &self.buffers {
            owned.bytes.extend(buffer.clone());
            let last = owned.bytes.last().filter(|_| buffer.is_some());
            buffers.push(last.map_or(ptr::null(), |bytes| bytes.as_ptr().cast()));
        }
        let mut child = |node: &Node| match node.lies.array_at {
            Some(number) => nowhere(number),
            None => {
                let child = Box::into_raw(Box::new(node.c_array(ledger)));
                owned.arrays.push(child);
                child
            }
        };
        let children = self.children.iter().map(|node| child(node).cast_const().cast()).collect();
        let dictionary = self.dictionary.as_ref().filter(|_| !self.lies.no_dictionary);
        let dictionary = dictionary.map_or(ptr::null_mut(), |node| child(node));
        let mut made = CArray {
            length: self.length,
            null_count: self.null_count,
            offset: self.offset,
            n_buffers: self.lies.buffers.unwrap_or(self.buffers.len() as i64),
            n_children: self.lies.children.unwrap_or(self.children.len() as i64),
            buffers: owned.addresses(buffers, self.lies.no_buffers),
            children: owned.addresses(children, self.lies.no_children),
            dictionary,
            release: Some(release_array),
            private_data: ledger.add(owned),
        };
        if self.lies.is_released {
            // SAFETY: it is not released.
            unsafe { release_array(&raw mut made) };
        }
        made
    }

    fn c_schema(&self, ledger: &Ledger) -> CSchema {
        let mut owned = Owned::default();
        let (format, name) = (owned.text(&self.format), owned.text(&self.name));
        let metadata = owned.text(&self.metadata);
        let mut child = |node: &Node| match node.lies.schema_at {
            Some(number) => nowhere(number),
            None => {
                let child = Box::into_raw(Box::new(node.c_schema(ledger)));
                owned.schemas.push(child);
                child
            }
        };
        let children = self.children.iter().map(|node| child(node).cast_const().cast()).collect();
        let dictionary = self.dictionary.as_ref().filter(|_| !self.lies.no_schema_dictionary);
        let dictionary = dictionary.map_or(ptr::null_mut(), |node| child(node));
        let mut made = CSchema {
            format,
            name,
            metadata,
            flags: self.flags,
            n_children: self.lies.schema_children.unwrap_or(self.children.len() as i64),
            children: owned.addresses(children, self.lies.no_schema_children),
            dictionary,
            release: Some(release_schema),
            private_data: ledger.add(owned),
        };
        if self.lies.is_schema_released {
            // SAFETY: it is not released.
            unsafe { release_schema(&raw mut made) };
        }
        made
    }

    pub fn array(&self, ledger: &Ledger) -> FFI_ArrowArray {
        let mut made = self.c_array(ledger);
        // SAFETY: both are the structure of the C data interface.
        unsafe { FFI_ArrowArray::from_raw((&raw mut made).cast()) }
    }

    pub fn schema(&self, ledger: &Ledger) -> FFI_ArrowSchema {
        let mut made = self.c_schema(ledger);
        // SAFETY: both are the structure of the C data interface.
        unsafe { FFI_ArrowSchema::from_raw((&raw mut made).cast()) }
    }
}

impl Feed {
    /// A stream of one array.
    pub fn of(node: Node) -> Feed {
        Feed {
            schema: Step::gives(node.clone()),
            arrays: vec![Step::gives(node)],
            error: None,
            lacks: &[],
            is_released: false,
        }
    }

    pub fn stream(&self, ledger: &Ledger) -> FFI_ArrowArrayStream {
        let mut feed = self.clone();
        feed.arrays.reverse();
        let feed = Some((feed, ledger.clone(), None));
        let has = |name| !self.lacks.contains(&name);
        let mut made = CStream {
            get_schema: has("get_schema").then_some(get_schema),
            get_next: has("get_next").then_some(get_next),
            get_last_error: has("get_last_error").then_some(get_last_error),
            release: Some(release_stream),
            private_data: ledger.add(Owned { feed, ..Owned::default() }),
        };
        if self.is_released {
            // SAFETY: it is not released.
            unsafe { release_stream(&raw mut made) };
        }
        // SAFETY: both are the structure of the C data interface.
        unsafe { FFI_ArrowArrayStream::from_raw((&raw mut made).cast()) }
    }
}

/// The feed of a stream, which must not be released.
///
/// # Safety
/// The stream must be one of this producer.
unsafe fn feed<'a>(stream: *mut CStream) -> &'a mut (Feed, Ledger, Option<CString>) {
    // SAFETY: the caller's promise.
    let entry = unsafe { &mut *(*stream).private_data.cast::<Entry>() };
    let owned = entry.owned.as_mut().expect("a callback of a released stream");
    owned.feed.as_mut().unwrap()
}

unsafe extern "C" fn get_schema(stream: *mut CStream, out: *mut CSchema) -> c_int {
    // SAFETY: the stream is one of this producer, and there is space for a schema.
    unsafe {
        let (feed, ledger, _) = feed(stream);
        match &feed.schema {
            Step::Gives(node) => out.write(node.c_schema(ledger)),
            Step::Fails(code) => return *code,
            Step::Ends => {}
        }
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut CStream, out: *mut CArray) -> c_int {
    // SAFETY: the stream is one of this producer, and there is space for an array.
    unsafe {
        let (feed, ledger, _) = feed(stream);
        match feed.arrays.pop() {
            Some(Step::Gives(node)) => out.write(node.c_array(ledger)),
            Some(Step::Fails(code)) => return code,
            Some(Step::Ends) | None => {}
        }
    }
    0
}

unsafe extern "C" fn get_last_error(stream: *mut CStream) -> *const c_char {
    // SAFETY: the stream is one of this producer.
    let (feed, _, said) = unsafe { feed(stream) };
    *said = feed.error.clone().map(|text| CString::new(text).unwrap());
    said.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}
