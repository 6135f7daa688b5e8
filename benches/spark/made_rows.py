"""The rows of the DataFrames. The JVM makes them from their numbers, so all contestants agree."""

from typing import Any

_SIZES = ("STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO")
_FINISHES = ("ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED")
_METALS = ("TIN", "NICKEL", "BRASS", "STEEL", "COPPER")
_CONTAINERS = tuple(
    f"{size} {kind}"
    for size in ("SM", "LG", "MED", "JUMBO", "WRAP")
    for kind in ("CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM")
)
_COLOURS = (
    *("almond", "antique", "aquamarine", "azure", "beige", "bisque", "black", "blue", "brown"),
    *("burlywood", "chartreuse", "coral", "cream", "cyan", "firebrick", "frosted", "gainsboro"),
    *("goldenrod", "honeydew", "ivory", "khaki", "lavender", "lemon", "linen", "magenta", "navy"),
)
_SHOPS = ("harbour", "market", "station")


def flat(spark: Any, rows: int) -> Any:
    """The columns of Part, with similar values: two integers, a float, six strings."""
    from pyspark.sql import functions as f

    return _numbers(spark, rows).select(
        "partkey",
        _words(_COLOURS, 5, salt=0).alias("name"),
        f.concat(f.lit("Manufacturer#"), (_draw(5, 10) + 1).cast("string")).alias("mfgr"),
        f.concat(f.lit("Brand#"), (_draw(25, 11) + 11).cast("string")).alias("brand"),
        f.concat_ws(" ", _one(_SIZES, 12), _one(_FINISHES, 13), _one(_METALS, 14)).alias("type"),
        (_draw(50, 15) + 1).cast("int").alias("size"),
        _one(_CONTAINERS, 16).alias("container"),
        _price(17).alias("retailprice"),
        _words(_COLOURS, 3, salt=20).alias("comment"),
    )


def nested(spark: Any, rows: int) -> Any:
    """Some of those columns, and an array of floats, a map and a struct."""
    from pyspark.sql import functions as f

    stock = (part for i, shop in enumerate(_SHOPS) for part in (f.lit(shop), _draw(900, 30 + i)))
    return _numbers(spark, rows).select(
        "partkey",
        _words(_COLOURS, 5, salt=0).alias("name"),
        (_draw(50, 15) + 1).cast("int").alias("size"),
        f.array(*(_price(40 + i) for i in range(5))).alias("prices"),
        f.create_map(*stock).alias("stock"),
        f.struct(
            _one(_SIZES, 12).alias("size"),
            _one(_METALS, 14).alias("metal"),
            _draw(100, 50).alias("grams"),
        ).alias("kind"),
    )


def _numbers(spark: Any, rows: int) -> Any:
    return spark.range(1, rows + 1, 1, 2).withColumnRenamed("id", "partkey")


def _draw(below: int, salt: int) -> Any:
    """A pseudo-random number."""
    from pyspark.sql import functions as f

    return f.pmod(f.xxhash64("partkey", f.lit(salt)), f.lit(below))


def _one(choices: tuple[str, ...], salt: int) -> Any:
    from pyspark.sql import functions as f

    return f.element_at(f.array(*map(f.lit, choices)), (_draw(len(choices), salt) + 1).cast("int"))


def _words(choices: tuple[str, ...], number: int, salt: int) -> Any:
    from pyspark.sql import functions as f

    return f.concat_ws(" ", *(_one(choices, salt + i) for i in range(number)))


def _price(salt: int) -> Any:
    return (_draw(110_000, salt) + 90_000) / 100
