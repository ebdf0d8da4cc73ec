package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The framework's filter of own writes loses writes of others: it is off everywhere, and nothing switches it on again. */
class ReconcilerArchitectureTest {
    private static final JavaClasses APP = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.lightpath.app");

    @Test
    void noReconcilerComparesResourceVersions() {
        List<JavaClass> reconcilers = APP.stream()
                .filter(type -> type.isAssignableTo(Reconciler.class) && !type.isInterface())
                .toList();
        assertThat(reconcilers)
                .isNotEmpty()
                .allSatisfy(type -> assertThat(type.getAnnotationOfType(ControllerConfiguration.class)
                                .informer()
                                .comparableResourceVersions())
                        .as(type.getName())
                        .isFalse());
    }

    @Test
    void noEventSourceComparesResourceVersions() {
        for (JavaClass type : APP) {
            long built = calls(type, "build");
            assertThat(calls(type, "withComparableResourceVersion"))
                    .as(type.getName() + " builds " + built + " event sources")
                    .isEqualTo(built);
        }
    }

    @Test
    void nothingIsWrittenThroughTheFramework() {
        assertThat(APP.stream()
                        .flatMap(type -> type.getMethodCallsFromSelf().stream())
                        .filter(call -> call.getTargetOwner().isAssignableTo(Context.class)
                                && call.getName().equals("resourceOperations")))
                .isEmpty();
    }

    private static long calls(JavaClass type, String method) {
        return type.getMethodCallsFromSelf().stream()
                .filter(call -> ofBuilder(call) && call.getName().equals(method))
                .count();
    }

    private static boolean ofBuilder(JavaMethodCall call) {
        return call.getTargetOwner().getName().startsWith(InformerEventSourceConfiguration.class.getName() + "$");
    }
}
