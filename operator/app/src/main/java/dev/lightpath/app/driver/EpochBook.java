package dev.lightpath.app.driver;

import dev.lightpath.planner.light.EpochMark;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which epochs an installation gave, and to whom. An epoch stands in it before it is used: what a driver reports and is
 * not in it was given by another installation, or by this one in a past that its API server has lost.
 *
 * @param installation its identity, random and made once; empty when it has none yet
 * @param holders by epoch, the last that were given
 * @param judged up to this epoch one that is not in it is strange; one above may have been given since it was read
 */
public record EpochBook(String installation, SortedMap<Long, String> holders, long judged) {
    /** Of a process that knows of no installation: any epoch may be right. */
    public static final EpochBook NONE = new EpochBook("", new TreeMap<>(), 0);

    private static final String OF = "@";

    /** What a book says of an epoch that a driver reports. */
    enum Judgement {
        OURS,
        STRANGE,
        /** Read the book again. */
        UNKNOWN
    }

    public EpochBook {
        holders = Collections.unmodifiableSortedMap(new TreeMap<>(holders));
    }

    /** The name under which a process of this installation writes to drivers. */
    public String holder(String process) {
        return process + OF + installation;
    }

    /** The last epoch that was given; 0 when none was. */
    public long last() {
        return holders.isEmpty() ? 0 : holders.lastKey();
    }

    /** The same book, complete up to this epoch. */
    public EpochBook judgedTo(long epoch) {
        return new EpochBook(installation, holders, Math.max(judged, epoch));
    }

    /** This book with what another of the installation, read earlier or later, knows besides. */
    public EpochBook and(EpochBook other) {
        SortedMap<Long, String> all = new TreeMap<>(other.holders);
        all.putAll(holders);
        return new EpochBook(installation, all, Math.max(judged, other.judged));
    }

    public Judgement judge(EpochMark mark) {
        if (mark.epoch() == 0) {
            return Judgement.OURS;
        }
        if (holders.isEmpty()) {
            return Judgement.UNKNOWN;
        }
        // one without a name, of a driver that tells none or set by an administrator, is judged by its number
        boolean named = !mark.holder().isEmpty();
        if (mark.epoch() < holders.firstKey()) {
            boolean ofOther =
                    named && mark.holder().contains(OF) && !mark.holder().endsWith(OF + installation);
            return ofOther ? Judgement.STRANGE : Judgement.OURS;
        }
        String given = holders.get(mark.epoch());
        if (given != null) {
            return named && !given.equals(mark.holder()) ? Judgement.STRANGE : Judgement.OURS;
        }
        return mark.epoch() <= Math.max(judged, last()) ? Judgement.STRANGE : Judgement.UNKNOWN;
    }
}
