package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.ItemReason;

/** The device's answer to one move. It is no evidence of light: the driver reads back. */
public sealed interface MoveAnswer {
    /** The device took it. */
    record Accepted() implements MoveAnswer {}

    /** The device refused; {@code nativeText} quotes it. */
    record Refused(ItemReason reason, String nativeText) implements MoveAnswer {}
}
