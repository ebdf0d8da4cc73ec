package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers so many operations, the latest. */
class ShortMemory extends Mutant {
    private final List<String> known = new CopyOnWriteArrayList<>();
    private final int most;

    ShortMemory(String name, String requirement, int most) {
        super(name, requirement);
        this.most = most;
    }

    @Override
    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
        known.add(request.getOperationId());
        return super.apply(request);
    }

    @Override
    GetOperationResponse operation(GetOperationRequest request) {
        if (known.lastIndexOf(request.getOperationId()) < known.size() - most) {
            throw Answers.refused(Status.Code.NOT_FOUND, "NO_SUCH_OPERATION");
        }
        return super.operation(request);
    }
}
