//! Arrays of others: what their buffers hold may be anything. Rows that are read encode and come back.

#![no_main]

use arrow_array::RecordBatch;
use libfuzzer_sys::fuzz_target;
use serow_arrow::c_data::{self, Extensions};
use serow_arrow::{BatchRows, Import, Target};
use serow_core::Result;
use serow_core::host_lock::HostLock;
use serow_core::encode::{Encoder, Staging};
use serow_core::wire::message::Format;
use serow_fuzz::is_about_bytes;

#[allow(dead_code)]
#[path = "../../crates/arrow/tests/damaged/arrays.rs"]
mod arrays;
#[allow(dead_code)]
#[path = "../../crates/arrow/tests/damaged/producer.rs"]
mod producer;

use arrays::{i32s, named, node, with};
use producer::{Ledger, Node};

/// Replaces what is in the buffers. Their lengths stay: nobody could check that they are as long as counts and
/// the last offset say, so those stay too.
fn fill(node: &mut Node, bytes: &mut &[u8]) {
    let format = node.format.clone().unwrap_or_default();
    let offset = match format.first() {
        Some(b'u' | b'z') => 4,
        Some(b'U' | b'Z') => 8,
        _ => 0,
    };
    let is_view = format.starts_with(b"v");
    let count = node.buffers.len() - usize::from(is_view);
    for (i, buffer) in node.buffers[..count].iter_mut().enumerate() {
        let Some(buffer) = buffer else { continue };
        let kept = if i == 1 { offset } else { 0 };
        let end = buffer.len() - kept;
        let (new, rest) = bytes.split_at(end.min(bytes.len()));
        buffer[..new.len()].copy_from_slice(new);
        *bytes = rest;
    }
    node.null_count = -1;
    node.children.iter_mut().for_each(|child| fill(child, bytes));
    node.dictionary.iter_mut().for_each(|of| fill(of, bytes));
}

fn encoded(import: &Import, batch: &RecordBatch) -> Result<Vec<u8>> {
    let mut message = Vec::new();
    let format = Format::default();
    let mut rows = BatchRows::new(import, std::slice::from_ref(batch), Target::Own, 0)?;
    let staging = Staging::take(format.wire);
    let mut encoder = Encoder::with_staging(format, &mut message, staging)?.with_host_lock(HostLock::NONE);
    rows.each(batch, |program, rows, count| {
        encoder.encode(program, rows, 0..count).map_err(|error| rows.misfit(&error))
    })?;
    encoder.finish(rows.program())?;
    Ok(message)
}

fuzz_target!(|bytes: &[u8]| {
    let Some(([which, around], mut bytes)) = bytes.split_first_chunk() else { return };
    let mut arrays = arrays::arrays();
    let (_, mut array) = arrays.swap_remove(usize::from(*which) % arrays.len());
    fill(&mut array, &mut bytes);
    let table = match around % 4 {
        0 => with(node("+s", 3, vec![None]), vec![array]),
        1 => Node { offset: 1, ..with(node("+s", 2, vec![None]), vec![array]) },
        2 => {
            let nulls = with(node("+s", 3, vec![Some(vec![around >> 2])]), vec![array]);
            with(node("+s", 3, vec![None]), vec![Node { null_count: -1, ..nulls }])
        }
        _ => {
            let lists =
                with(node("+l", 2, vec![None, i32s(&[1, 2, 3])]), vec![named("item", array)]);
            with(node("+s", 2, vec![None]), vec![lists])
        }
    };
    let ledger = Ledger::default();
    let (given, schema) = (table.array(&ledger), table.schema(&ledger));
    // SAFETY: what is at the addresses is as the counts beside them say.
    let field = unsafe { c_data::field(&schema, Extensions::Known) }.expect("only values change");
    // SAFETY: the same, and `Import` reads it.
    let array = unsafe { c_data::array(given, field.data_type()) };
    let read = array.and_then(|array| {
        let batch = c_data::batch_of(&field, array)?;
        encoded(&Import::new(batch.schema_ref())?, &batch)
    });
    match read {
        Ok(message) => {
            let rows = serow::loads(&message);
            if let Err(error) = &rows {
                // Values that only Rust lacks, such as dates beyond its range.
                is_about_bytes(error);
            }
        }
        Err(error) => is_about_bytes(&error),
    }
    drop(schema);
    ledger.close();
});
