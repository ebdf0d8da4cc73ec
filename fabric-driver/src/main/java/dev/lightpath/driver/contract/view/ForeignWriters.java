package dev.lightpath.driver.contract.view;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Who changed a device beside this driver, by its own log, until a change of circuits is seen that it explains. */
final class ForeignWriters {
    private static final int MOST = 8;

    /** A device is read as soon as it has told. Who changed something else does not explain later circuits. */
    private static final Duration EXPLAINS = Duration.ofSeconds(10);

    private record Told(String who, Instant at) {}

    private final Clock clock;
    private final Deque<Told> told = new ArrayDeque<>();

    ForeignWriters(Clock clock) {
        this.clock = clock;
    }

    /** Of more than a few the last ones are kept. */
    void add(String who) {
        told.addLast(new Told(who, clock.instant()));
        if (told.size() > MOST) {
            var unused = told.removeFirst();
        }
    }

    /** Those who may have made a change that is seen now. They explain no further one. */
    List<String> take() {
        Instant since = clock.instant().minus(EXPLAINS);
        List<String> all = told.stream()
                .filter(each -> !each.at().isBefore(since))
                .map(Told::who)
                .distinct()
                .toList();
        told.clear();
        return all;
    }
}
