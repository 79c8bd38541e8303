package org.azuremail.app;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Puts parts together as production does, by its own configuration classes: an imported class by its constructor, a bean by its
 * method, each once and by type. Spring's context would take some milliseconds, and simulations restart processes thousands of
 * times. Conditions are not looked at: a part is made when somebody asks for it.
 */
public final class Wiring {

    private static final Map<Class<?>, List<Recipe>> KNOWN = new ConcurrentHashMap<>();

    private final List<Recipe> recipes;
    private final List<Object> parts = new ArrayList<>();

    /** With the configurations of these packages, named without {@code org.azuremail.}. */
    public Wiring(String... packages) {
        recipes = Arrays.stream(Features.of(packages))
                .flatMap(configuration -> recipes(configuration).stream())
                .toList();
    }

    /** The constructor or method that makes a part of a type. */
    private record Recipe(Class<?> type, Executable maker) {}

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

    /** Takes this part wherever its type is asked for, whatever the configuration says. */
    public <T> T give(T part) {
        parts.add(part);
        return part;
    }

    /** The one part of this type. */
    public <T> T get(Class<T> type) {
        for (Object part : parts) {
            if (type.isInstance(part)) {
                return type.cast(part);
            }
        }
        List<Recipe> fitting = recipes.stream()
                .filter(recipe -> type.isAssignableFrom(recipe.type))
                .toList();
        if (fitting.size() != 1) {
            throw new IllegalStateException(fitting.size() + " parts are a " + type);
        }
        return type.cast(give(make(fitting.get(0).maker)));
    }

    /** Everything of this type that the configuration of one package brings. */
    public <T> List<T> all(String feature, Class<T> type) {
        return recipes(Features.of(feature)[0]).stream()
                .filter(recipe -> type.isAssignableFrom(recipe.type))
                .<T>map(recipe -> type.cast(get(recipe.type)))
                .toList();
    }

    private Object make(Executable maker) {
        Object[] needed =
                Arrays.stream(maker.getParameterTypes()).map(this::get).toArray();
        try {
            maker.setAccessible(true);
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
