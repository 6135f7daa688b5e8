//! Values in memory, as compiled code reads them.
//!
//! [`Value`]'s own layout is fixed by its `repr`; those of the `Vec`, the `Box` and the `Arc<str>` inside
//! are Rust's and may change. So they are looked up in values that are made for it, as facts of this
//! process, and where that is not conclusive there is no compiled code.

use std::sync::{Arc, OnceLock};

use crate::value::Value;

/// Offsets are in bytes from the beginning of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueLayout {
    /// The size of a value.
    pub size: u64,
    /// Where a boolean, an integer or a float is.
    pub payload: u64,
    /// Where the pointer to a string's text is, and how far before the text that points.
    pub text: u64,
    /// See [`ValueLayout::text`].
    pub before_text: u64,
    /// Where the length of the text is.
    pub text_len: u64,
    /// Where the pointer to the elements of a list, tuple, set or map is.
    pub elements: u64,
    /// Where their number is.
    pub len: u64,
    /// Where the pointer to the values of a struct is. That to its names is at the payload.
    pub fields: u64,
    /// Where their number is.
    pub field_count: u64,
    /// Where the index of an enum's member is. The pointer to the enum is at the payload.
    pub member: u64,
}

/// The first byte of a value: which variant it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "they are the variants' names")]
pub enum Tag {
    Null,
    Bool,
    I64,
    F64,
    Str,
    List,
    Tuple,
    Logical,
    Set,
    FrozenSet,
    Map,
    Struct,
    Enum,
}

impl ValueLayout {
    /// The layout in this process, if it could be found out.
    pub fn of_process() -> Option<ValueLayout> {
        static LAYOUT: OnceLock<Option<ValueLayout>> = OnceLock::new();
        *LAYOUT.get_or_init(find)
    }
}

const WORD: usize = size_of::<usize>();

/// The words of a value, if they can all be looked at.
fn words<T, const N: usize>(v: &T) -> Option<[usize; N]> {
    // SAFETY: a `Vec` and an `Arc<str>` are made of words that are set, and of so many.
    (size_of::<T>() == N * WORD).then(|| unsafe { *std::ptr::from_ref(v).cast::<[usize; N]>() })
}

/// The only place of `word` in `words`, in bytes.
fn place(words: &[usize], word: usize) -> Option<usize> {
    let mut places = (0..words.len()).filter(|&i| words[i] == word);
    let first = places.next()?;
    places.next().is_none().then_some(first * WORD)
}

/// Where the pointer, the distance that it lies before the text, and the length are.
fn text_of(len: usize) -> Option<(usize, usize, usize)> {
    let text: Arc<str> = "x".repeat(len).into();
    let words: [usize; 2] = words(&text)?;
    let at_len = place(&words, len)?;
    let pointer = words[1 - at_len / WORD];
    let before = text.as_ptr().addr().checked_sub(pointer)?;
    (before <= 8 * WORD).then_some((WORD - at_len, before, at_len))
}

/// Where the pointer and the length are.
fn elements_of(len: usize) -> Option<(usize, usize)> {
    let mut elements = Vec::with_capacity(2 * len + 1);
    elements.resize_with(len, || Value::Null);
    let words: [usize; 3] = words(&elements)?;
    Some((place(&words, elements.as_ptr().addr())?, place(&words, len)?))
}

/// The same of the values of a struct.
fn fields_of(len: usize) -> Option<(usize, usize)> {
    let fields: Box<[Value]> = (0..len).map(|_| Value::Null).collect();
    let words: [usize; 2] = words(&fields)?;
    Some((place(&words, fields.as_ptr().addr())?, place(&words, len)?))
}

fn find() -> Option<ValueLayout> {
    let payload = std::mem::offset_of!(Words, payload);
    let text = text_of(5)?;
    let elements = elements_of(3)?;
    let fields = fields_of(3)?;
    // What holds for one length holds for others, nothing included.
    let holds = [0, 1, 1000].iter().all(|&len| text_of(len) == Some(text))
        && [1, 1000].iter().all(|&len| elements_of(len) == Some(elements))
        && [1, 1000].iter().all(|&len| fields_of(len) == Some(fields));
    holds.then_some(ValueLayout {
        size: size_of::<Value>() as u64,
        payload: payload as u64,
        text: (payload + text.0) as u64,
        before_text: text.1 as u64,
        text_len: (payload + text.2) as u64,
        elements: (payload + elements.0) as u64,
        len: (payload + elements.1) as u64,
        // A variant's fields stand one after another, as `repr(C, u8)` says, and the first of these is
        // a pointer.
        fields: (payload + WORD + fields.0) as u64,
        field_count: (payload + WORD + fields.1) as u64,
        member: (payload + WORD) as u64,
    })
}

/// What `repr(C, u8)` makes of a value: a tag, and then the largest payload.
#[repr(C)]
struct Words {
    tag: Tag,
    payload: [usize; 3],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Enum, Names};
    use crate::value::Composite;

    fn member(index: u32) -> Value {
        Value::Enum(Arc::new(Enum { name: "E".into(), members: vec!["A".into()] }), index)
    }

    /// The word that stands `offset` bytes after the beginning of `value`.
    fn word(value: &Value, offset: u64) -> usize {
        // SAFETY: the offset is that of a word that is set.
        unsafe { *std::ptr::from_ref(value).cast::<u8>().add(offset as usize).cast() }
    }

    #[test]
    fn structs_and_members_are_where_they_are_found() {
        let layout = ValueLayout::of_process().unwrap();
        let names = Arc::new(Names { name: None, fields: vec!["a".into(), "b".into()] });
        let value = Value::Struct(names.clone(), Box::new([Value::I64(1), Value::Null]));
        let Value::Struct(_, fields) = &value else { unreachable!() };
        assert_eq!(word(&value, layout.fields), fields.as_ptr().addr());
        assert_eq!(word(&value, layout.field_count), 2);
        // An `Arc` is one word, and clones of it are the same.
        let [own]: [usize; 1] = words(&names).unwrap();
        assert_eq!(word(&value, layout.payload), own);
        assert_eq!(word(&member(7), layout.member) as u32, 7);
    }

    #[test]
    fn the_layout_is_found_and_tags_are_in_the_order_of_variants() {
        assert_eq!(ValueLayout::of_process().unwrap().size, size_of::<Words>() as u64);
        let values = [
            (Value::Null, Tag::Null),
            (Value::Bool(true), Tag::Bool),
            (Value::I64(-7), Tag::I64),
            (Value::F64(0.5), Tag::F64),
            (Value::from("text"), Tag::Str),
            (Value::List(vec![]), Tag::List),
            (Value::Tuple(vec![]), Tag::Tuple),
            (Composite::uuid(1).into(), Tag::Logical),
            (Value::Set(vec![]), Tag::Set),
            (Value::FrozenSet(vec![]), Tag::FrozenSet),
            (Value::Map(vec![]), Tag::Map),
            (
                Value::Struct(Arc::new(Names { name: None, fields: vec![] }), Box::new([])),
                Tag::Struct,
            ),
            (member(0), Tag::Enum),
        ];
        for (value, tag) in &values {
            // SAFETY: the first byte of a value is its tag, which `repr(C, u8)` says.
            assert_eq!(unsafe { *std::ptr::from_ref(value).cast::<u8>() }, *tag as u8, "{value:?}");
        }
    }
}
