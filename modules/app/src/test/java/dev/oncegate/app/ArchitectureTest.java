package dev.oncegate.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** The arrows and the bans of docs/ARCHITECTURE.md over all modules but the testkit. */
@AnalyzeClasses(
    packages = "dev.oncegate",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestkit.class})
class ArchitectureTest {
  /** The testkit serves tests alone, and may do what tests may. */
  static final class NoTestkit implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("testkit");
    }
  }

  @ArchTest
  static final ArchRule adapters_neverKnowEachOther_andOnlyAppNamesThem =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("core")
          .definedBy("dev.oncegate.core..")
          .layer("engine")
          .definedBy("dev.oncegate.engine..")
          .layer("gateway-http")
          .definedBy("dev.oncegate.gateway.http..")
          .layer("store-postgres")
          .definedBy("dev.oncegate.store.postgres..")
          .layer("parking-eventbus")
          .definedBy("dev.oncegate.parking.eventbus..")
          .layer("tenants")
          .definedBy("dev.oncegate.tenants..")
          .layer("ops")
          .definedBy("dev.oncegate.ops..")
          .layer("app")
          .definedBy("dev.oncegate.app..")
          .whereLayer("app")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("gateway-http")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("store-postgres")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("parking-eventbus")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("tenants")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("ops")
          .mayOnlyBeAccessedByLayers("app");

  @ArchTest
  static final ArchRule core_isTheJdkAndTheStreamingParser =
      classes()
          .that()
          .resideInAPackage("dev.oncegate.core..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.oncegate.core..",
              "java..",
              "javax.crypto..",
              "com.fasterxml.jackson.core..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule engine_isCoreAndVertxCore =
      classes()
          .that()
          .resideInAPackage("dev.oncegate.engine..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.oncegate.engine..",
              "dev.oncegate.core..",
              "java..",
              "javax.crypto..",
              "io.vertx.core..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule nobodySleeps =
      noClasses()
          .should()
          .callMethod(Thread.class, "sleep", long.class)
          .because("a loop must not block; wait with engine.port.Time.after");

  @ArchTest
  static final ArchRule futures_areVertxs =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.oncegate.app.embedded..")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(CompletableFuture.class)
          .because(
              "io.vertx.core.Future keeps the context; only the embedded services, which wait for"
                  + " processes before any loop runs, may use the JDK's");

  @ArchTest
  static final ArchRule wallClock_isNotRead =
      noClasses()
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .because(
              "the database's clock decides; for anything else take engine.port.Time or a Clock");

  @ArchTest
  static final ArchRule monotonicTime_comesFromTime =
      noClasses()
          .that()
          .resideInAnyPackage("dev.oncegate.core..", "dev.oncegate.engine..")
          .should()
          .callMethod(System.class, "nanoTime")
          .because("a simulation replaces engine.port.Time, and cannot replace the JVM's");

  @ArchTest
  static final ArchRule workers_onlyProjectLargeBodies =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.oncegate.gateway.http.OffLoop")
          .should()
          .callMethodWhere(
              com.tngtech.archunit.base.DescribedPredicate.describe(
                  "executeBlocking",
                  call ->
                      call.getTarget().getName().equals("executeBlocking")
                          && call.getTarget().getOwner().isAssignableTo(Vertx.class)))
          .because("nothing else on a request's path may need a thread; compose futures");

  @ArchTest
  static final ArchRule standardStreams_belongToTheCommands =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.oncegate.app.cli..")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .because("everything else logs, as structured events");

  @ArchTest
  static final ArchRule adaptersAreMade_inWiringAlone =
      noClasses()
          .that()
          .resideInAPackage("dev.oncegate.app..")
          .and()
          .doNotHaveFullyQualifiedName("dev.oncegate.app.Wiring")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(".*\\.(PgRecordStore|HttpUpstream|UpstreamClients\\$.*)")
          .because("Wiring is the composition root");
}
