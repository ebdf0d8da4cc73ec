package dev.lightpath.conformance.bench;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import io.grpc.Status;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Comparisons that fail as {@link Unmet}, in words. */
public final class Expect {
    private static final int LONGEST = 600;

    private Expect() {}

    public static void equal(String what, Object expected, Object seen) {
        if (!Objects.equals(expected, seen)) {
            throw new Unmet(what + " " + words(expected), words(seen));
        }
    }

    /** @param seen what is there instead */
    public static void that(boolean met, String expected, Object seen) {
        if (!met) {
            throw new Unmet(expected, words(seen));
        }
    }

    /** The call is refused with this code and reason. */
    public static Refusal refused(String what, Runnable call, Status.Code code, String reason) {
        String expected = what + " to be refused with " + code + ", reason " + reason;
        Optional<Refusal> refusal = Refusal.ofCall(call);
        if (refusal.isEmpty()) {
            throw new Unmet(expected, "it was accepted");
        }
        if (refusal.get().code() != code || !refusal.get().reason().equals(reason)) {
            throw new Unmet(expected, refusal.get().toString());
        }
        return refusal.get();
    }

    /** The outcome, and each item that is not in place. */
    private static String summary(Operation operation) {
        String items = operation.getItemsList().stream()
                .filter(item -> item.getState() != ItemState.ITEM_STATE_DARK
                        && item.getState() != ItemState.ITEM_STATE_CONNECTED)
                .map(item -> ", " + item.getAction() + " " + Circuits.text(item.getKey()) + " is " + item.getState()
                        + ", " + item.getReason()
                        + (item.getNativeText().isEmpty() ? "" : " ('" + item.getNativeText() + "')"))
                .collect(Collectors.joining());
        return operation.getOutcome() + items;
    }

    private static String line(Message message) {
        return TextFormat.printer().emittingSingleLine(true).printToString(message);
    }

    static String words(Object value) {
        String text = switch (value) {
            case Operation operation -> summary(operation) + "; whole: " + line(operation);
            case Message message -> line(message);
            case null, default -> String.valueOf(value);
        };
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }
}
