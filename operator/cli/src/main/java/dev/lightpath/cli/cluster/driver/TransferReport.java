package dev.lightpath.cli.cluster.driver;

import dev.lightpath.cli.Answer;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Who holds the devices of a fabric, and what was given: its JSON document.
 *
 * @param fabric its name
 * @param role of this cluster
 * @param revision of the records of the fabric here; 0 when it has none
 * @param given how many devices were given to that role now
 * @param away agents of nodes that did not answer, and why, by endpoint: what they hold is as it was
 */
record TransferReport(
        String fabric, String role, long revision, long given, List<Holding> holdings, SortedMap<String, String> away) {
    private static final int MOST_NAMED = 10;

    /**
     * Devices of one driver that one role holds.
     *
     * @param role empty: nobody does
     * @param highestEpoch of any of them
     * @param revision of the role's records, the highest that any of them remembers
     */
    record Holding(String driver, String role, long devices, long highestEpoch, long revision) {}

    /**
     * @throws BadInput when the role is of another fabric or holds no device, or when devices know of later records of
     *     the role than those that were restored here, unless these are wanted all the same
     */
    void refuse(String from, boolean olderRecords) {
        String other = from.substring(from.indexOf('/') + 1);
        if (from.contains("/") && !other.equals(fabric)) {
            throw new BadInput("--from: '" + from + "' holds devices of fabric " + other + ", not of " + fabric);
        }
        if (holdings.stream().noneMatch(each -> each.role().equals(from))) {
            SortedSet<String> others = holders();
            throw new BadInput("--from: no device is held by '" + from + "'; "
                    + (others.isEmpty() ? "nobody holds one" : "they are held by " + String.join(", ", others))
                    + (away.isEmpty()
                            ? ""
                            : "; agents that did not answer (" + away.size() + ") may hold some: "
                                    + String.join("; ", named())));
        }
        long remembered = holdings.stream()
                .filter(each -> each.role().equals(from))
                .mapToLong(Holding::revision)
                .max()
                .orElse(0);
        if (!olderRecords && !from.equals(role) && remembered > revision) {
            throw new BadInput("devices remember revision " + remembered + " of the records of " + from
                    + ", and those of fabric/" + fabric + " here are of revision " + revision
                    + ": they are older than the light. Restore a later backup, or give the devices all the same with"
                    + " --older-records");
        }
    }

    /** What may be given, as commands. */
    List<String> choices() {
        return holders().stream()
                .filter(holder -> !holder.equals(role) && (!holder.contains("/") || holder.endsWith("/" + fabric)))
                .map(holder -> "kubectl lightpath driver transfer fabric/" + fabric + " --from " + holder)
                .toList();
    }

    private SortedSet<String> holders() {
        SortedSet<String> holders = new TreeSet<>();
        holdings.forEach(each -> holders.add(each.role()));
        holders.remove("");
        return holders;
    }

    Answer answer(List<String> next) {
        Page page = new Page();
        if (given > 0) {
            page.line(given + " devices were given to " + role);
        }
        return new Answer(
                this,
                page.table(
                                List.of("DRIVER", "HELD BY", "DEVICES", "HIGHEST EPOCH", "REVISION"),
                                holdings.stream()
                                        .map(each -> List.of(
                                                each.driver(),
                                                each.role().isEmpty()
                                                        ? "nobody"
                                                        : each.role()
                                                                + (each.role().equals(role) ? " (this cluster)" : ""),
                                                Long.toString(each.devices()),
                                                Long.toUnsignedString(each.highestEpoch()),
                                                Long.toString(each.revision())))
                                        .toList())
                        .section(
                                "agents without an answer (" + away.size()
                                        + "), which keep what they hold; run this again once they answer:",
                                named())
                        .section("next:", next)
                        .text());
    }

    private List<String> named() {
        List<String> lines =
                new ArrayList<>(away.values().stream().limit(MOST_NAMED).toList());
        if (away.size() > MOST_NAMED) {
            lines.add("and " + (away.size() - MOST_NAMED) + " more");
        }
        return lines;
    }
}
