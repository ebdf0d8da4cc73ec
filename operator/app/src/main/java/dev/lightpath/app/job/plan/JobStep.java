package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** One thing to do for a job. All of them may be repeated. */
public sealed interface JobStep {
    /** Before anything of the job exists that must not outlive it. */
    record AddFinalizer() implements JobStep {}

    /** The request for light of one attempt on one fabric. */
    record CreateSlice(String name, String fabric, int attempt, Demand demand) implements JobStep {}

    /**
     * The pods, behind the gate; {@code nodes} of them.
     *
     * @param gpuResource extended resource that counts their GPUs
     * @param replicas that an elastic job has; empty for others
     */
    record CreateJobSet(String name, int nodes, String gpuResource, OptionalInt replicas) implements JobStep {
        /** Of a job that has all of its replicas or none. */
        public CreateJobSet(String name, int nodes, String gpuResource) {
            this(name, nodes, gpuResource, OptionalInt.empty());
        }
    }

    /**
     * Lets one pod go to its node.
     *
     * @param notes annotations that tell the pod its place and its light
     */
    record Ungate(String pod, RankedNode place, int attempt, SortedMap<String, String> notes) implements JobStep {
        public Ungate {
            notes = Collections.unmodifiableSortedMap(new TreeMap<>(notes));
        }

        @Override
        public String toString() {
            return "Ungate[pod=" + pod + ", place=" + place + ", attempt=" + attempt + "]";
        }
    }

    /** Lets a pod go that needs no light, as a launcher. */
    record Free(String pod) implements JobStep {}

    /**
     * Tells a pod of light that changed since it was let go.
     *
     * @param light content of its file
     */
    record TellLight(String pod, String light) implements JobStep {
        @Override
        public String toString() {
            return "TellLight[pod=" + pod + "]";
        }
    }

    /** Gives a slice the labels again that somebody took away or changed. */
    record Relabel(String slice) implements JobStep {}

    record DeleteJobSet(String name) implements JobStep {}

    /** Ends a pod of a JobSet that goes or is gone. */
    record DeletePod(String pod) implements JobStep {}

    /**
     * Ends a pod that was let go to a node where it cannot or must not start any more: who makes it makes another.
     *
     * @param version in which it was not bound: in any other it stays
     */
    record DeleteUnbound(String pod, String version) implements JobStep {}

    /** Lets go of a pod whose node cannot say that it ended. */
    record ForceDeletePod(String pod) implements JobStep {}

    /**
     * The record of light that is down, or of none.
     *
     * @param judged what was recorded when that was found: with any other record the slice stays
     */
    record DeleteSlice(String name, Optional<Allocation> judged) implements JobStep {
        public static DeleteSlice of(SliceFacts slice) {
            return new DeleteSlice(slice.name(), slice.allocation());
        }

        @Override
        public String toString() {
            return "DeleteSlice[name=" + name + "]";
        }
    }

    /** The job ended so long ago that it is to go; what it has goes as when its user deletes it. */
    record DeleteJob() implements JobStep {}

    /** The job may go. */
    record RemoveFinalizer() implements JobStep {}
}
