//! Finds the schemas of streams without reading their rows.

use std::collections::HashSet;

use super::parts::{FileParts, ReadAt, damaged, in_file};
use crate::error::Result;
use crate::limits::{MAX_SCHEMA_LEN, MAX_STREAM_FRAME};
use crate::schema::{Schema, Shape};
use crate::wire::message::{FRAME_HEADER, Part};

/// Returns the schema that fits all rows in `len` bytes of one or more messages: the schemas of their frames join as the
/// types of rows do. It is `never` if there are none. This goes from frame to frame, and reads neither rows nor
/// checksums. Where the bytes are cut within a message, its writer may not have written more.
///
/// ```
/// use serow_core::encode::dumps;
/// use serow_core::layout::value::ValueRows;
/// use serow_core::stream::schema_of;
///
/// let mut message = Vec::new();
/// dumps(&ValueRows(&["peru".into(), 7.into()]), None, &mut message)?;
///
/// let schema = schema_of(message.len() as u64, &mut |range, bytes| {
///     *bytes = message[range.start as usize..range.end as usize].to_vec();
///     Ok(())
/// })?;
/// assert_eq!(schema.to_string(), "i64|str");
/// # Ok::<(), serow_core::Error>(())
/// ```
///
/// # Errors
/// A decode error if the bytes are no messages, or if the header or the schema of a frame is damaged. A limit error if the
/// schemas join to one that is too large. An error of `read_at`.
pub fn schema_of(len: u64, read_at: ReadAt<'_>) -> Result<Schema> {
    let mut parts = FileParts::of(len, read_at);
    let (mut type_lists, mut schemas) = (HashSet::new(), Vec::new());
    loop {
        let at = parts.at();
        let head = match parts.next()? {
            Some(Part::Frame(head)) => head,
            Some(Part::Header(_)) => continue,
            None if parts.is_between() && (at < len || at == 0) => {
                return Err(in_file(at, format!("the message is cut after {} bytes", len - at)));
            }
            None => break,
        };
        let type_list = FRAME_HEADER..head.header.body_at();
        if head.len > MAX_STREAM_FRAME || type_list.len() > MAX_SCHEMA_LEN {
            return Err(damaged(at));
        }
        if !head.header.is_in_band() || head.header.is_index() {
            continue;
        }
        let begin = at + head.marker as u64;
        let range = begin + type_list.start as u64..begin + type_list.end as u64;
        if range.end > len {
            break;
        }
        let type_list = parts.read(range)?;
        if !type_lists.contains(type_list) {
            let schema = Schema::from_bytes(type_list);
            let in_frame = |error| in_file(at, format!("the frame at byte {at}: {error}"));
            schemas.push(schema.map_err(in_frame)?);
            type_lists.insert(type_list.to_vec());
        }
    }
    match &schemas[..] {
        [one] => Ok(one.clone()),
        all => {
            let mut shape = Shape::default();
            all.iter().for_each(|schema| shape.join(Shape::of(schema.root())));
            Schema::new(shape.into_type())
        }
    }
}
