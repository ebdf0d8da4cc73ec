package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The adapters on switches that need 150 ms for each answer. */
@Order(2)
final class SlowAnswersConformanceTest {
    /** Where the time of an answer counts most. The whole kit takes a quarter of an hour on such a switch. */
    private static final Set<String> JUDGED = Set.of(
            "circuits/apply-and-read-back",
            "circuits/already-so",
            "circuits/swap",
            "conflict/update-replaces-own",
            "crash/operation-under-way",
            "foreign/left-alone",
            "foreign/told",
            "idempotency/same-operation-twice",
            "idempotency/while-it-runs",
            "operations/applied-means-settled",
            "operations/cancelled-while-it-runs",
            "operations/in-progress",
            "operations/one-at-a-time",
            "partial/all-or-nothing",
            "partial/best-effort",
            "silence/told");

    /** Of a switch that is slow in what it says, and not in what it does. */
    @Execution(ExecutionMode.CONCURRENT)
    abstract static class Slow extends ManagedConformance {
        @Override
        final boolean isJudged(String requirement) {
            return JUDGED.contains(requirement);
        }
    }

    @Nested
    final class Netconf extends Slow {
        @Override
        ManagedPlant plant(Path directory) throws Exception {
            return new NetconfPlant(
                    directory,
                    "ports: 32, twoSided: true",
                    "base: \"1.1\", datastore: candidate, quirks: [slow-answers]");
        }

        @Override
        Set<String> left() {
            return new NetconfCandidateConformanceTest().left();
        }
    }

    @Nested
    final class Tl1 extends Slow {
        @Override
        ManagedPlant plant(Path directory) throws Exception {
            return new Tl1Plant(directory, "ports: 32, twoSided: true", "slow-answers");
        }

        @Override
        Set<String> left() {
            return new Tl1ConformanceTest().left();
        }
    }

    @Nested
    final class Gnmi extends Slow {
        @Override
        ManagedPlant plant(Path directory) throws Exception {
            return new GnmiPlant(directory, 16, "slow-answers");
        }

        @Override
        Set<String> left() {
            return new GnmiConformanceTest().left();
        }
    }

    @Nested
    final class OpenFlow extends Slow {
        @Override
        ManagedPlant plant(Path directory) throws Exception {
            return OpenFlowPlant.of(directory, 16, "1.4", "slow-answers");
        }

        @Override
        Set<String> left() {
            return OpenFlowEmulatedConformanceTest.LEFT;
        }
    }
}
