package dev.lightpath.sim.netconf;

import dev.lightpath.sim.scenario.NetconfSpec.Quirk;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;

/** Sends notifications, as late, as often and in which order the switch does. */
final class Notifications {
    private static final Duration LATE = Duration.ofMillis(300);

    private final Set<Quirk> quirks;
    private final Consumer<String> out;
    /** Waits for the next one, to be sent after it; empty when none waits. */
    private String held = "";

    Notifications(Set<Quirk> quirks, Consumer<String> out) {
        this.quirks = quirks;
        this.out = out;
    }

    /** Something happens now. */
    void tell(String event) {
        String text = "<eventTime>" + Instant.now() + "</eventTime>" + event;
        if (quirks.contains(Quirk.LATE_NOTIFICATIONS)) {
            later(() -> order(text));
        } else {
            order(text);
        }
    }

    private synchronized void order(String text) {
        if (!quirks.contains(Quirk.REORDERED_NOTIFICATIONS)) {
            send(text);
        } else if (held.isEmpty()) {
            held = text;
            later(() -> release(text));
        } else {
            String first = held;
            held = "";
            send(text);
            send(first);
        }
    }

    /** No other one came. */
    private synchronized void release(String text) {
        if (held.equals(text)) {
            held = "";
            send(text);
        }
    }

    private void send(String text) {
        out.accept(text);
        if (quirks.contains(Quirk.REPEATED_NOTIFICATIONS)) {
            out.accept(text);
        }
    }

    private static void later(Runnable what) {
        Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(LATE);
                what.run();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
