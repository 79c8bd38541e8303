package org.azuremail.app;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Creates parts from production's own configuration classes: an imported class by its constructor, a bean by its
 * method, each once and by type. A Spring context would take some milliseconds, and simulations restart processes
 * thousands of times. Conditions are ignored, because a part is created only on request.
 */
public final class Wiring {

    private static final Map<Class<?>, List<Recipe>> KNOWN = new ConcurrentHashMap<>();
    private static final Map<List<String>, Recipes> KNOWN_TOGETHER = new ConcurrentHashMap<>();

    private final Recipes recipes;
    private final List<Object> parts = new ArrayList<>();
    private final Map<Class<?>, Object> asked = new HashMap<>();

    /** @param packages the packages of the configurations, named without {@code org.azuremail.} */
    public Wiring(String... packages) {
        recipes = KNOWN_TOGETHER.computeIfAbsent(
                List.of(packages),
                names -> new Recipes(
                        Arrays.stream(Features.of(packages))
                                .flatMap(configuration -> recipes(configuration).stream())
                                .toList(),
                        new ConcurrentHashMap<>()));
    }

    /** The constructor or method that creates a part of a type. */
    private record Recipe(Class<?> type, Executable maker, Class<?>[] needed) {

        Recipe(Class<?> type, Executable maker) {
            this(type, maker, maker.getParameterTypes());
            maker.setAccessible(true);
        }
    }

    /** @param only the recipe for each type that has been requested */
    private record Recipes(List<Recipe> all, Map<Class<?>, Recipe> only) {

        Recipe of(Class<?> type) {
            return only.computeIfAbsent(type, this::search);
        }

        private Recipe search(Class<?> type) {
            List<Recipe> fitting = all.stream()
                    .filter(recipe -> type.isAssignableFrom(recipe.type))
                    .toList();
            if (fitting.size() != 1) {
                throw new IllegalStateException(fitting.size() + " parts are a " + type);
            }
            return fitting.get(0);
        }
    }

    private static List<Recipe> recipes(Class<?> configuration) {
        List<Recipe> known = KNOWN.get(configuration);
        if (known == null) {
            known = Stream.concat(imported(configuration), beans(configuration)).toList();
            KNOWN.put(configuration, known);
        }
        return known;
    }

    private static Stream<Recipe> imported(Class<?> configuration) {
        Import imports = configuration.getAnnotation(Import.class);
        return imports == null
                ? Stream.empty()
                : Arrays.stream(imports.value())
                        .flatMap(type -> type.isAnnotationPresent(Configuration.class)
                                ? recipes(type).stream()
                                : Stream.of(new Recipe(type, onlyConstructor(type))));
    }

    private static Stream<Recipe> beans(Class<?> configuration) {
        return Arrays.stream(configuration.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Bean.class))
                .map(method -> new Recipe(method.getReturnType(), method));
    }

    private static Constructor<?> onlyConstructor(Class<?> type) {
        Constructor<?>[] all = type.getDeclaredConstructors();
        if (all.length != 1) {
            throw new IllegalStateException(type + " has " + all.length + " constructors");
        }
        return all[0];
    }

    /** Uses this part wherever its type is needed, whatever the configuration says. */
    public <T> T give(T part) {
        parts.add(part);
        return part;
    }

    /** Returns the only part of this type. */
    public <T> T get(Class<T> type) {
        Object known = asked.get(type);
        if (known == null) {
            known = given(type);
            asked.put(type, known);
        }
        return type.cast(known);
    }

    private Object given(Class<?> type) {
        for (Object part : parts) {
            if (type.isInstance(part)) {
                return part;
            }
        }
        return give(make(recipes.of(type)));
    }

    /** Returns all parts of this type from the configuration of one package. */
    public <T> List<T> all(String feature, Class<T> type) {
        return recipes(Features.of(feature)[0]).stream()
                .filter(recipe -> type.isAssignableFrom(recipe.type))
                .<T>map(recipe -> type.cast(get(recipe.type)))
                .toList();
    }

    private Object make(Recipe recipe) {
        Executable maker = recipe.maker;
        Object[] needed = Arrays.stream(recipe.needed).map(this::get).toArray();
        try {
            if (maker instanceof Constructor<?> constructor) {
                return constructor.newInstance(needed);
            }
            Constructor<?> configuration = onlyConstructor(maker.getDeclaringClass());
            configuration.setAccessible(true);
            return ((Method) maker).invoke(configuration.newInstance(), needed);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            if (e.getCause() instanceof Error thrown) {
                throw thrown;
            }
            throw new IllegalStateException(maker.toString(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(maker.toString(), e);
        }
    }
}
