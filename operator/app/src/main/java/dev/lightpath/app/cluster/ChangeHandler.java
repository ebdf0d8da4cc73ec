package dev.lightpath.app.cluster;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** Tells of every change of a resource that matters. */
record ChangeHandler<T>(Runnable changed, BiPredicate<T, T> matters, Consumer<T> deleted)
        implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T added) {
        changed.run();
    }

    @Override
    public void onUpdate(T before, T now) {
        if (matters.test(before, now)) {
            changed.run();
        }
    }

    @Override
    public void onDelete(T gone, boolean finalStateUnknown) {
        deleted.accept(gone);
        changed.run();
    }
}
