"""Who takes part: one file each, named in the order of the table."""

CONTESTANTS = {
    "serow": "demo.contestants.serow_rows:SerowRows",
    "serow-compiled": "demo.contestants.serow_compiled:SerowCompiled",
    "pickle": "demo.contestants.pickle_batches:PickleBatches",
    "bson": "demo.contestants.bson_documents:BsonDocuments",
    "protobuf": "demo.contestants.protobuf_messages:ProtobufMessages",
}
"""The name that the JVM's side knows, and the class of Python's side. A name rather than the
class, so that a contestant's process imports its own library and no other's."""

ENVIRONMENTS = {
    "serow": {"SEROW_TIER": "interpreter"},
    "serow-compiled": {"SEROW_TIER": "auto", "SEROW_CACHE_DIR": "off"},
}
"""What is added to the environment of a contestant's processes.

Each stays in one tier from the first round to the last: left to itself, the one that interprets
would be compiled on the way. What compiles takes no code of another run's, so that it says what
compiling takes.
"""

BATCH = 1000
"""Rows in a peer's message. Measured to be best or as good as any for each of them: pickle's
memo collapses on long lists, and the others' intermediate objects fall out of the cache."""
