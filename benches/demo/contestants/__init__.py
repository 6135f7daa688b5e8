"""The contestants: one file each, in the order of the table."""

CONTESTANTS = {
    "serow": "demo.contestants.serow_rows:SerowRows",
    "serow-compiled": "demo.contestants.serow_compiled:SerowCompiled",
    "pickle": "demo.contestants.pickle_batches:PickleBatches",
    "bson": "demo.contestants.bson_documents:BsonDocuments",
    "protobuf": "demo.contestants.protobuf_messages:ProtobufMessages",
}
"""The names on the JVM's side, and the names of Python's classes. These are names and not
classes, so that a contestant's process imports only its own library."""

ENVIRONMENTS = {
    "serow": {"SEROW_TIER": "interpreter"},
    "serow-compiled": {"SEROW_TIER": "auto", "SEROW_CACHE_DIR": "off"},
}
"""Additions to the environment of a contestant's processes.

Each stays in one tier from the first round to the last. By default the interpreted one would be
compiled on the way. The compiled one does not use the object cache, so its compile time is real.
"""

BATCH = 1000
"""Rows in a peer's message. Measurements showed no better number for any of them: pickle's memo is
slow on long lists, and the intermediate objects of the others don't fit in the cache."""
