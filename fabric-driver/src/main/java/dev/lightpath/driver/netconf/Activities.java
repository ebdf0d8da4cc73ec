package dev.lightpath.driver.netconf;

import dev.lightpath.driver.session.OneLine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Who changed cross-connects beside this driver, by the switch's activity log or by what its server tells of changes;
 * or the switch itself, where it protects a circuit. Safe for use by many threads.
 */
final class Activities {
    private static final String NETCONF = "NETCONF";

    /** In the path of what was changed. */
    private static final String CIRCUITS = "cross-connects";

    /** Until somebody takes them; a device may tell of any number. */
    private static final int MOST = 8;

    /** Of the last ones is known that they were told: a device or a network may repeat a notification. */
    private static final int KNOWN = 64;

    private final String user;
    private final UnaryOperator<String> hiding;
    private final List<String> told = new ArrayList<>();
    private final Deque<String> known = new ArrayDeque<>();

    /**
     * @param user as whom this driver logs in: what this user does by NETCONF is our own work
     * @param hiding takes out of the device's words what nobody may read
     */
    Activities(String user, UnaryOperator<String> hiding) {
        this.user = user;
        this.hiding = hiding;
    }

    /**
     * Takes a notification; others than those about activities change nothing.
     *
     * @return whether it tells of what this driver did, and of nothing else
     */
    boolean take(Element notification) {
        String at = notification.text("eventTime");
        boolean own = false;
        boolean others = false;
        for (Element event : notification.children()) {
            switch (event.name()) {
                case "activity-log-notification" -> {
                    boolean isOwn = activity(at, event);
                    own |= isOwn;
                    others |= !isOwn;
                }
                case "netconf-config-change" -> others |= !change(at, event);
                case "aps-notification" -> {
                    add(at, "the switch itself, which protects circuits: " + event.text("notification-details"));
                    others = true;
                }
                default -> {}
            }
        }
        return own && !others;
    }

    /** Whether it is this driver's. */
    private boolean activity(String at, Element event) {
        String who = event.text("notification-username");
        String protocol = event.text("notification-protocol");
        if (who.equals(user) && protocol.equalsIgnoreCase(NETCONF)) {
            return true;
        }
        String address = event.text("notification-ip-address");
        String what = event.text("notification-activity");
        add(
                at,
                "user '" + who + "'" + (address.isEmpty() ? "" : " at " + address)
                        + (protocol.isEmpty() ? "" : " by " + protocol) + (what.isEmpty() ? "" : ": " + what));
        return false;
    }

    /** What a server tells that has no log of activities (RFC 6470). Whether it is this driver's. */
    private boolean change(String at, Element event) {
        String what = event.children("edit").stream()
                .filter(edit -> edit.text("target").contains(CIRCUITS))
                .map(edit -> edit.text("operation") + " " + edit.text("target"))
                .collect(Collectors.joining(", "));
        Element by = event.child("changed-by").orElse(event);
        String who = by.text("username");
        if (who.equals(user)) {
            return true;
        }
        if (what.isEmpty()) {
            return false;
        }
        String address = by.text("source-host");
        add(
                at,
                (who.isEmpty() ? "the switch itself" : "user '" + who + "'")
                        + (address.isEmpty() ? "" : " at " + address) + " by NETCONF: " + what);
        return false;
    }

    /** @param at when the device says that it was; one that is told without a time is never taken for a repetition */
    private synchronized void add(String at, String line) {
        String one = OneLine.of(hiding.apply(line));
        String whole = OneLine.of(at) + " " + one;
        if (!at.isEmpty() && known.contains(whole)) {
            return;
        }
        known.addLast(whole);
        if (known.size() > KNOWN) {
            var unused = known.removeFirst();
        }
        if (told.size() < MOST) {
            told.add(one);
        }
    }

    /** Those told since the last call. */
    synchronized List<String> take() {
        List<String> all = List.copyOf(told);
        told.clear();
        return all;
    }
}
