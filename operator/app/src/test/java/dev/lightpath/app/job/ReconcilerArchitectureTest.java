package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.lightpath.app.Page;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The framework's filter of own writes loses writes of others: it is off everywhere, and nothing switches it on again.
 * All informers list in pages.
 */
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

    /** An answer with all of something fills the heap (ADR 54). */
    @Test
    void allInformersListInPages() {
        assertThat(APP.stream().filter(type -> type.isAssignableTo(Reconciler.class) && !type.isInterface()))
                .isNotEmpty()
                .allSatisfy(type -> assertThat(type.getAnnotationOfType(ControllerConfiguration.class)
                                .informer()
                                .informerListLimit())
                        .as(type.getName())
                        .isEqualTo(Page.LARGE_OBJECTS));
        for (JavaClass type : APP) {
            assertThat(calls(type, "withInformerListLimit"))
                    .as(type.getName() + ", event sources")
                    .isEqualTo(calls(type, "build"));
            assertThat(informing(type, "withLimit"))
                    .as(type.getName() + ", informers")
                    .isEqualTo(informing(type, "runnableInformer") + informing(type, "inform"));
        }
    }

    private static long informing(JavaClass type, String method) {
        return type.getMethodCallsFromSelf().stream()
                .filter(call -> call.getTargetOwner().isAssignableTo(Informable.class)
                        && call.getName().equals(method))
                .count();
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
