package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Atomicity;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.function.Consumer;

/** An ApplyCircuits in few words: of the kit's role, in its epoch, over its scratch ports, with an id of its own. */
public final class Change {
    private final Bench bench;
    private final ApplyCircuitsRequest.Builder request;

    Change(Bench bench, ApplyCircuitsRequest.Builder request) {
        this.bench = bench;
        this.request = request;
    }

    /** Makes the i-th circuit, from rest. */
    public Change make(int i) {
        bench.layout().rest(i).ifPresent(request::addDisconnects);
        request.addConnects(bench.layout().circuit(i));
        return this;
    }

    /** Puts the i-th circuit to rest. */
    public Change unmake(int i) {
        request.addDisconnects(bench.layout().circuit(i));
        bench.layout().rest(i).ifPresent(request::addConnects);
        return this;
    }

    public Change connect(CircuitKey circuit) {
        request.addConnects(circuit);
        return this;
    }

    /** Makes this circuit on the ingress of the i-th, from rest. */
    public Change makeInstead(int i, CircuitKey circuit) {
        bench.layout().rest(i).ifPresent(request::addDisconnects);
        return connect(circuit);
    }

    public Change disconnect(CircuitKey circuit) {
        request.addDisconnects(circuit);
        return this;
    }

    public Change id(String operationId) {
        request.setOperationId(operationId);
        return this;
    }

    public Change epoch(long epoch) {
        request.getFencingBuilder().setEpoch(epoch);
        return this;
    }

    public Change role(String role) {
        request.getFencingBuilder().setRole(role);
        return this;
    }

    public Change scope(Scope scope) {
        request.setScope(scope);
        return this;
    }

    public Change policy(ConflictPolicy policy) {
        request.setConflictPolicy(policy);
        return this;
    }

    public Change expecting(String digest) {
        request.setExpectedObservedDigest(digest);
        return this;
    }

    public Change allOrNothing() {
        request.setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING);
        return this;
    }

    public Change validateOnly() {
        request.setValidateOnly(true);
        return this;
    }

    /** Rolled back unless confirmed in this time. */
    public Change confirmWithin(Duration time) {
        bench.awaitsConfirmation(request.getOperationId());
        request.setRollbackAfter(com.google.protobuf.Duration.newBuilder()
                .setSeconds(time.toSeconds())
                .setNanos(time.toNanosPart()));
        return this;
    }

    public Change edit(Consumer<ApplyCircuitsRequest.Builder> edit) {
        edit.accept(request);
        return this;
    }

    public String id() {
        return request.getOperationId();
    }

    /**
     * It as it is sent.
     *
     * @throws Inapplicable when the device takes fewer items at once
     */
    public ApplyCircuitsRequest request() {
        int most = bench.device().mostItems();
        if (items() > most) {
            throw new Inapplicable("needs a change of " + items() + " items, and max_batch is " + most);
        }
        return request.build();
    }

    /** Sends it although the device takes fewer items at once. */
    public Refusal refusedAsTooLarge(String what) {
        return Expect.refused(
                what,
                () -> {
                    var unused = bench.calls().circuits().applyCircuits(request.build());
                },
                Status.Code.RESOURCE_EXHAUSTED,
                "BATCH_TOO_LARGE");
    }

    public int items() {
        return request.getDisconnectsCount() + request.getConnectsCount();
    }

    /** Sends it; a refusal is not met. */
    public ApplyCircuitsResponse send() {
        ApplyCircuitsRequest whole = request();
        try {
            return bench.calls().circuits().applyCircuits(whole);
        } catch (StatusRuntimeException e) {
            throw new Unmet(
                    "ApplyCircuits to be carried out: " + Expect.words(request.build()),
                    Refusal.of(e).toString());
        }
    }

    /** Sends it; anything but APPLIED is not met. */
    public Operation apply() {
        Operation operation = send().getOperation();
        Expect.that(
                operation.getOutcome() == Outcome.OUTCOME_APPLIED,
                "outcome APPLIED of " + Expect.words(request.build()),
                operation);
        bench.applied(request.build(), operation);
        return operation;
    }

    /** Sends it; anything but this refusal is not met. */
    public Refusal refused(String what, Status.Code code, String reason) {
        ApplyCircuitsRequest whole = request();
        return Expect.refused(
                what,
                () -> {
                    var unused = bench.calls().circuits().applyCircuits(whole);
                },
                code,
                reason);
    }
}
