package io.github.serow.samples

import io.github.serow.Codec
import io.github.serow.Default
import io.github.serow.Ignore
import io.github.serow.Name
import io.github.serow.TypeReference
import kotlin.time.Duration

/** The line that docs/java.md has. */
inline fun <reified T : Any> codecOf(): Codec<T> = Codec.of(object : TypeReference<T>() {})

/** What null marks of Java's API promise to Kotlin: no `!!`, and a list that came back without a cast. */
fun backByLine(addresses: List<Address>): List<Address> {
    val codec = codecOf<List<Address>>()
    return codec.decode(codec.encode(addresses))
}

data class Address(val street: String, val number: Int)

data class Person(
    val name: String,
    val age: Int,
    val email: String?,
    val addresses: List<Address>,
    val scores: Map<String, Double?>,
    val initial: Char = 'x',
)

/** Could be a bean too: it has a constructor without arguments, and setters. */
data class Counter(var name: String = "", var count: Long = 0)

data class Annotated(
    @Name("full_name") val name: String,
    @Default("1") val count: Int,
    @Ignore val cache: Int,
)

data class Pair2<A, B>(val first: A, val second: B)

sealed interface Message

data class Text(val text: String) : Message

data class Number(val number: Int) : Message

/** A value besides the constructor would be lost. */
data class Half(val name: String) {
    var note: String = ""
}

class Plain(val a: Int, val b: String)

enum class Color { RED, GREEN }

data class Numbers(
    val byte: Byte,
    val short: Short,
    val long: Long,
    val float: Float,
    val bool: Boolean,
    val maybe: Int?,
    val array: IntArray,
    val color: Color,
)

@JvmInline value class UserId(val id: Long)

data class Unsigned(val count: UInt, val name: String)

data class Lasting(val time: Duration)

data class Owned(val owner: UserId)

data class MaybeUnsigned(val count: UInt?)

data class ListOfUnsigned(val counts: List<UInt>)

data class HiddenUnsigned(private val count: UInt)

class HiddenField(private val count: UInt) {
    fun text() = count.toString()
}

class UnsignedBean {
    var count: UInt = 0u
    var name: String = ""
}

/** Has no value of a value class, only a method that returns one. */
data class Uses(val name: String) {
    fun total(): UInt = name.length.toUInt()
}

sealed interface State

object Idle : State

data class Running(val since: Long, val steps: List<String?>) : State

/** Its primary constructor is no canonical one, because it is no data class. */
class Labelled(val label: String, var size: Int?) {
    constructor(label: String) : this(label, 1)
}

class Logging(val name: String) {
    val parts by lazy { name.split(" ") }
}

data class Defaults(val a: Int = 1, val name: String = "a" + a)
