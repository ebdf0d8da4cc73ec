package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.RoutedRevision;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import java.util.List;
import java.util.Optional;

/**
 * How a slice stands after a pass.
 *
 * @param placement whether it has a place
 * @param allocation as recorded, before this pass's own writes
 * @param light how far its light has come
 * @param siting how good its place is, once it has one
 * @param leftOnlySilence whether all circuits that it left and that are not read back dark are on devices that are
 *     gone, do not answer or cannot move, behind drivers that answer. A placed slice does not wait for them
 * @param preemptor the job of higher priority that is to have its place
 * @param routed which revision a router has acknowledged, where the fabric asks for that and the slice has a place
 */
public record SliceVerdict(
        Placement placement,
        Optional<Allocation> allocation,
        Light light,
        Optional<Siting> siting,
        boolean leftOnlySilence,
        Optional<JobId> preemptor,
        Optional<RoutedRevision> routed) {

    /** Of a slice without a place, or whose place is not judged. */
    public SliceVerdict(Placement placement, Optional<Allocation> allocation, Light light) {
        this(placement, allocation, light, Optional.empty(), false, Optional.empty(), Optional.empty());
    }

    /**
     * How good a place is.
     *
     * @param crossTorRatio share of the traffic between groups that leaves its rack, 0 to 1 (InfinitePOD section 6.4)
     * @param spareNodes free healthy nodes within reach of a member
     */
    public record Siting(double crossTorRatio, int spareNodes) {}

    /** The same where the API server refuses the record that the pass decided, for this reason. */
    public SliceVerdict unrecorded(String why) {
        return new SliceVerdict(
                placement.unrecorded(why), allocation, light, siting, leftOnlySilence, preemptor, routed);
    }

    /** Whether a slice has a place. */
    public sealed interface Placement {
        /** The same where the record of what was decided is refused for this reason. */
        default Placement unrecorded(String why) {
            String refused = "the API server refuses its record: " + why;
            return switch (this) {
                case Placed placed -> placed;
                case Faulted faulted ->
                    new Faulted(faulted.members(), refused, faulted.degraded(), faulted.relocatable());
                case Unplaced unplaced -> new Unplaced(Reason.RECORD_REFUSED, refused, unplaced.lacksPorts());
                case Releasing releasing -> new Releasing(releasing.remaining(), refused, releasing.onlySilent());
                case Released released -> released;
            };
        }

        /** The same beside foreign circuits: a slice that lacks ports says what a person can do. */
        default Placement beside(int foreign, ForeignRule rule) {
            if (foreign > 0 && this instanceof Unplaced unplaced && unplaced.lacksPorts()) {
                return new Unplaced(unplaced.reason(), unplaced.message() + rule.advice(foreign, ""), true);
            }
            // nothing of it has failed, and yet it has no ports
            return foreign > 0
                            && this instanceof Faulted faulted
                            && faulted.members().isEmpty()
                    ? new Faulted(
                            faulted.members(),
                            faulted.waitsFor() + rule.advice(foreign, ""),
                            faulted.degraded(),
                            faulted.relocatable())
                    : this;
        }

        /**
         * It has one and every member is well.
         *
         * @param unsolved why better circuits could not be looked for
         * @param wider whether it has fewer replicas than it wants and there is room for more, once no pod runs on it
         */
        record Placed(Optional<String> unsolved, boolean wider) implements Placement {
            public Placed() {
                this(Optional.empty());
            }

            /** With all that it wants, or all that there is room for. */
            public Placed(Optional<String> unsolved) {
                this(unsolved, false);
            }
        }

        /**
         * It has one with faulty members.
         *
         * @param members the faulty ones
         * @param waitsFor what a repair waits for, or why none fits
         * @param degraded true when no repair fits; false while one waits for its keys
         * @param relocatable whether the whole job may and can be placed anew instead
         */
        record Faulted(List<String> members, String waitsFor, boolean degraded, boolean relocatable)
                implements Placement {
            public Faulted {
                members = List.copyOf(members);
            }

            /** A repair was found: the slice is repaired once that is recorded and lit. */
            public static Faulted recording(List<String> members) {
                return waiting(members, "a repair was found and is being recorded");
            }

            /** A repair waits for this. */
            public static Faulted waiting(List<String> members, String waitsFor) {
                return new Faulted(members, waitsFor, false, false);
            }

            /** No repair fits. */
            public static Faulted stuck(List<String> members, String why, boolean relocatable) {
                return new Faulted(members, why, true, relocatable);
            }

            /** The faulty members, if any, and what the repair waits for, for people. */
            public String message() {
                return (members.isEmpty() ? "" : "faulty: " + String.join(", ", members) + "; ") + waitsFor;
            }
        }

        /**
         * It has none.
         *
         * @param message for people: wanted, usable, why
         * @param lacksPorts whether ports that are there are missing: others have them
         */
        record Unplaced(Reason reason, String message, boolean lacksPorts) implements Placement {
            /** Ends the message when waiting is in vain. */
            public static final String NEVER_FITS = "it can never fit on this fabric";

            /** For another reason than ports that are taken. */
            public Unplaced(Reason reason, String message) {
                this(reason, message, false);
            }

            /** A place was found: the slice has it once it is recorded. */
            public static Unplaced recording() {
                return new Unplaced(Reason.RECORDING, "a place was found and is being recorded");
            }

            /** No nodes or cubes are free for it, whatever ports are. */
            public static Unplaced noRoom(String why) {
                return new Unplaced(Reason.INSUFFICIENT_CAPACITY, why);
            }

            /** Ports that are there are missing: others have them. */
            public static Unplaced noPorts(String why) {
                return new Unplaced(Reason.INSUFFICIENT_CAPACITY, why, true);
            }

            /** Nothing is placed while changes are frozen. */
            public static Unplaced frozen(ChangeFreeze freeze) {
                return new Unplaced(freeze.reason(), freeze.message());
            }

            /** A job on two fabrics is decided on once both of its slices are there. */
            public static Unplaced awaitingSlice(String otherFabric) {
                return new Unplaced(Reason.AWAITING_PODS, "waits for its slice on fabric " + otherFabric);
            }

            /** Whether the fabric could not hold it even if all of it were well and free. */
            public boolean forever() {
                return message.endsWith(NEVER_FITS);
            }
        }

        /**
         * Its light is being taken down.
         *
         * @param remaining nodes or circuits that are not yet dark
         * @param waitsFor for people
         * @param onlySilent whether all of these are on devices that are gone, do not answer, refuse or cannot move,
         *     behind drivers that answer: no change makes them dark
         */
        record Releasing(int remaining, String waitsFor, boolean onlySilent) implements Placement {
            public Releasing(int remaining, String waitsFor) {
                this(remaining, waitsFor, false);
            }
        }

        /** Nothing of it is lit any more: the record may go. */
        record Released() implements Placement {}
    }

    /**
     * How far the light of an allocation has come.
     *
     * @param total circuits recorded
     * @param lit of these, read back from the hardware
     * @param failed of these, on devices that are silent or report the port failed
     * @param qualifiedLinks links whose both ends hear each other at good power
     * @param links links between nodes recorded
     * @param obstacle why it is not further, empty when every link qualified
     */
    public record Light(int total, int lit, int failed, int links, int qualifiedLinks, Optional<Obstacle> obstacle) {
        public static Light none() {
            return new Light(0, 0, 0, 0, 0, Optional.empty());
        }

        /** The same on a fabric whose changes are frozen: what is not made yet says why it will not be made now. */
        public Light under(ChangeFreeze freeze) {
            return freeze.repairs() || !obstacle.map(Obstacle::isProgramming).orElse(false)
                    ? this
                    : new Light(
                            total,
                            lit,
                            failed,
                            links,
                            qualifiedLinks,
                            obstacle.map(unmade -> Obstacle.programming(unmade.message() + ": " + freeze.message())));
        }

        public boolean programmed() {
            return lit == total;
        }

        public boolean qualified() {
            return programmed() && qualifiedLinks == links;
        }
    }

    /**
     * What stands in the way.
     *
     * @param message for people
     */
    public record Obstacle(Reason reason, String message) {
        /** Light that is to be made, and nothing is wrong with. */
        public static Obstacle programming(String message) {
            return new Obstacle(Reason.PROGRAMMING, message);
        }

        boolean isProgramming() {
            return reason == Reason.PROGRAMMING;
        }
    }
}
