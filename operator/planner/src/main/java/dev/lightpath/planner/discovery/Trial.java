package dev.lightpath.planner.discovery;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.FarEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The one probing circuit of a fabric.
 *
 * @param left whether an earlier process left it: it is unknown what was heard without it
 */
public record Trial(String opticalSwitch, Circuit circuit, boolean left, Phase phase) {
    /**
     * Whom every far end heard without the circuit.
     *
     * @param whole whether all of them could be heard then: else voices that came later were perhaps there before
     */
    public record Before(SortedMap<FarEnd, FarEnd> speakers, boolean whole) {
        public Before {
            speakers = Collections.unmodifiableSortedMap(speakers);
        }

        boolean has(FarEnd receiver, FarEnd speaker) {
            return speaker.equals(speakers.get(receiver));
        }
    }

    /** How far it has come. */
    public sealed interface Phase {
        /**
         * To be recorded, and then to be made.
         *
         * @param before whom every far end hears without it
         */
        record Proposed(Before before) implements Phase {}

        /**
         * Made, at this time.
         *
         * @param whole whether every far end could be heard since
         */
        record Lit(Before before, Instant since, boolean whole) implements Phase {}

        /**
         * To be taken down, since this time. What was heard counts if it is not heard any more then.
         *
         * @param before whom every far end heard without it
         * @param disturbed whether something else was heard with it, or it did not last
         * @param whole whether every far end could be heard while it was lit
         * @param enteringDbm power of the light that enters the switch at the ingress, where that is measured
         */
        record Breaking(
                Before before,
                List<Voice> heard,
                boolean disturbed,
                boolean whole,
                OptionalDouble enteringDbm,
                Instant since)
                implements Phase {
            public Breaking {
                heard = List.copyOf(heard);
            }
        }

        /**
         * Its switch does not answer, so it may shine.
         *
         * @param before whom every far end heard without it
         * @param heardSince since when every far end can be heard; empty while one cannot
         */
        record Unread(Before before, Optional<Instant> heardSince) implements Phase {}

        /**
         * Its switch still does not answer, and every far end was heard meanwhile. It may shine on until the switch
         * answers. It teaches nothing.
         *
         * @param wholeBefore whether every far end could be heard before it was made
         * @param heard the voices that may be its own: no voice that comes later is, nor one that went silent
         */
        record Lost(boolean wholeBefore, List<Voice> heard) implements Phase {
            public Lost {
                heard = List.copyOf(heard);
            }
        }
    }

    /** Whether a voice may be this circuit's: without it the far end heard nobody, or somebody else. */
    public boolean mayBeHeard(FarEnd receiver, FarEnd speaker) {
        return switch (phase) {
            case Phase.Proposed proposed -> !proposed.before().has(receiver, speaker);
            case Phase.Lit lit -> !lit.before().has(receiver, speaker);
            case Phase.Breaking breaking -> !breaking.before().has(receiver, speaker);
            case Phase.Unread unread -> !unread.before().has(receiver, speaker);
            case Phase.Lost lost ->
                lost.heard().stream()
                        .anyMatch(voice -> voice.receiver().equals(receiver)
                                && voice.speaker().equals(speaker));
        };
    }

    /** Whether it is known what all far ends heard without it. */
    public boolean knowsBefore() {
        return !left
                && switch (phase) {
                    case Phase.Proposed proposed -> proposed.before().whole();
                    case Phase.Lit lit -> lit.before().whole();
                    case Phase.Breaking breaking -> breaking.before().whole();
                    case Phase.Unread unread -> unread.before().whole();
                    case Phase.Lost lost -> lost.wholeBefore();
                };
    }

    /**
     * Whether its own voice may be missing for as long as a far end is away, so that only written wiring says who may
     * hear it.
     */
    public boolean awaitsFarEnds() {
        return phase instanceof Phase.Unread unread && unread.heardSince().isEmpty();
    }

    /** Whether it is known which voice is its own, both ways where light goes both ways. */
    public boolean isTold() {
        return knowsBefore()
                && phase instanceof Phase.Lost lost
                && (lost.heard().size() == 1
                        || lost.heard().size() == 2
                                && lost.heard().getFirst().answers(lost.heard().getLast()));
    }

    /** The same in another phase. */
    public Trial in(Phase next) {
        return new Trial(opticalSwitch, circuit, left, next);
    }

    /** The same after the wall clock was set by so much. */
    Trial moved(Duration by) {
        return in(
                switch (phase) {
                    case Phase.Proposed proposed -> proposed;
                    case Phase.Lit lit ->
                        new Phase.Lit(lit.before(), lit.since().plus(by), lit.whole());
                    case Phase.Breaking breaking ->
                        new Phase.Breaking(
                                breaking.before(),
                                breaking.heard(),
                                breaking.disturbed(),
                                breaking.whole(),
                                breaking.enteringDbm(),
                                breaking.since().plus(by));
                    case Phase.Unread unread ->
                        new Phase.Unread(unread.before(), unread.heardSince().map(since -> since.plus(by)));
                    case Phase.Lost lost -> lost;
                });
    }
}
