//! Random rows become valid batches, and come back.

#[path = "../../serow/tests/common/strategies.rs"]
#[allow(dead_code, unused_imports, reason = "other tests use the rest")]
mod strategies;

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, StructArray};
use arrow_schema::SchemaRef;

use proptest::prelude::*;
use serow_arrow::{Batches, FrameBatches, Import};
use serow_core::decode::decode_set;
use serow_core::layout::batch::Batch;
use serow_core::layout::value::{ValueRows, ValueWriter};
use serow_core::value::Value;
use serow_core::wire::frame::ColumnSet;
use strategies::{any_value, table};

fn read(import: &Import, batches: &[RecordBatch]) -> serow_core::Result<Vec<Value>> {
    let (mut columns, mut rows) = (Batch::default(), ValueWriter::new());
    for batch in batches {
        let mut row = 0;
        let program = import.program(std::slice::from_ref(batch))?;
        while row < batch.num_rows() {
            import.read(&program, batch, row, &mut columns)?;
            row += columns.rows;
            decode_set(&program, ColumnSet::staged(&program, &columns), None, 0, &mut rows)?;
        }
    }
    Ok(rows.into_rows())
}

fn check_batches(
    rows: &[Value],
    schema: &SchemaRef,
    batches: &[RecordBatch],
) -> Result<(), TestCaseError> {
    for batch in batches {
        prop_assert_eq!(batch.schema_ref(), schema);
        for column in batch.columns() {
            column.to_data().validate_full().unwrap();
        }
    }
    prop_assert_eq!(&read(&Import::new(schema).unwrap(), batches).unwrap(), rows);
    Ok(())
}

fn check(rows: &[Value], most: usize) -> Result<(), TestCaseError> {
    let (all, batches) = match Batches::of_all(&ValueRows(rows), None, None, most) {
        Ok(made) => made,
        Err(error) => {
            // The only limit that small rows reach.
            prop_assert!(error.message().contains("arms"), "{}", error);
            return Ok(());
        }
    };
    check_batches(rows, all.schema(), &batches)?;
    // Frames of a message are cut into batches in the same way, and may have different types.
    let message = serow::dumps(rows).unwrap();
    let mut frames = FrameBatches::new(None, None).with_most_rows(most);
    let made = frames.of_message(&message).unwrap();
    check_batches(rows, &frames.schema().unwrap(), &made)?;
    // The same from a part of a batch, whose offsets do not begin at 0.
    let tails: Vec<_> = batches.iter().map(|batch| batch.slice(1, batch.num_rows() - 1)).collect();
    match batches.len() {
        1 => check_batches(&rows[1..], all.schema(), &tails),
        _ => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn mixed_rows_come_back(rows in prop::collection::vec(any_value(), 0..40), most in 1usize..50) {
        check(&rows, most)?;
    }

    #[test]
    fn tables_come_back(rows in table(), most in 1usize..300) {
        check(&rows, most)?;
    }
}

#[test]
fn every_value_comes_back_beside_others() {
    let rows: Vec<Value> = (0..300)
        .map(|i| Value::dict([("a", Value::I64(i)), ("b", (i % 3 > 0).then_some(i).into())]))
        .collect();
    check(&rows, 1000).unwrap();
    check(&rows, 7).unwrap();
    let one = Arc::new(rows);
    check(&one[..1], 1).unwrap();
}

#[test]
fn components_below_a_null_may_be_null() {
    let complex = |re: f64| Value::from(serow::Composite::complex(re, -re));
    let rows: Vec<Value> = [complex(1.0), Value::Null, complex(2.0)]
        .into_iter()
        .map(|v| Value::dict([("a", v)]))
        .collect();
    let (all, batches) = Batches::of_all(&ValueRows(&rows), None, None, 10).unwrap();
    let of = batches[0].column(0).as_struct();
    let nulls = of.nulls().cloned();
    let parts = of.columns().iter().map(|part| {
        let data = part.to_data().into_builder().nulls(nulls.clone()).build().unwrap();
        arrow_array::make_array(data)
    });
    let of = StructArray::new(of.fields().clone(), parts.collect(), nulls.clone());
    let batch = RecordBatch::try_new(all.schema().clone(), vec![Arc::new(of)]).unwrap();
    assert_eq!(read(&Import::new(all.schema()).unwrap(), &[batch]).unwrap(), rows);
}
