package dev.lightpath.app.fields;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.ModelShape;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.Quota;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the planner is told of specs it asks for: a component that nobody reads would be a field without effect. */
class UsedByThePlannerTest {
    private static final JavaClasses PLANNER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.lightpath.planner");

    private static final Set<String> OF_EVERY_RECORD = Set.of("equals", "hashCode", "toString");

    private static Stream<Class<?>> told() {
        return Stream.of(
                OcsIntent.class,
                OcsSwitch.class,
                OcsSwitch.Domains.class,
                OcsSwitch.Wire.class,
                OcsPod.class,
                OcsTopology.PolarFly.class,
                OcsTopology.TwistedTorus.class,
                RingIntent.class,
                RingNode.class,
                FabricPolicy.class,
                Quota.class,
                Quota.Share.class,
                Replacement.After.class,
                Agreement.class,
                SliceIntent.class,
                Workload.Pods.class,
                Workload.LightOnly.class,
                Demand.ScaleUp.class,
                Demand.TorusShape.class,
                Demand.Traffic.class,
                ModelShape.class,
                Parallelism.class,
                Batch.class);
    }

    @ParameterizedTest
    @MethodSource("told")
    void eachComponentIsRead(Class<?> record) {
        assertThat(record.isRecord()).isTrue();
        JavaClass known = PLANNER.get(record);
        assertThat(Arrays.stream(record.getRecordComponents())
                        .filter(component -> !isRead(known, component))
                        .map(RecordComponent::getName))
                .as("components of %s that the planner never reads", record.getSimpleName())
                .isEmpty();
    }

    /** By another class, or by a method of its own that does more than to copy, compare or print it. */
    private static boolean isRead(JavaClass record, RecordComponent component) {
        Stream<JavaAccess<?>> calls = Stream.concat(Stream.of(record), record.getAllRawInterfaces().stream())
                .flatMap(type -> type.tryGetMethod(component.getName()).stream())
                .flatMap(method -> method.getAccessesToSelf().stream());
        Stream<JavaAccess<?>> reads = record.getField(component.getName()).getAccessesToSelf().stream()
                .map(access -> (JavaAccess<?>) access);
        return Stream.concat(calls, reads)
                .anyMatch(access ->
                        !access.getOriginOwner().equals(record) || decides(record, component, access.getOrigin()));
    }

    private static boolean decides(JavaClass record, RecordComponent component, JavaCodeUnit own) {
        return !own.isConstructor()
                && !own.getRawReturnType().equals(record)
                && !own.getName().equals(component.getName())
                && !OF_EVERY_RECORD.contains(own.getName());
    }
}
